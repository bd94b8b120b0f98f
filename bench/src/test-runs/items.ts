import { questionOf, replyTo } from '../chat/chat-call.js';

/** An item of a test set: a question, and the text that is expected as its answer. */
export interface Item {
  question: string;
  expected: string;
}

/** Every tenth expectation is wrong, so that a side that compares nothing is found out. */
const WRONG_EVERY = 10;

/** The same items for every side. */
export const itemsOf = (count: number): Item[] =>
  Array.from({ length: count }, (_, at) => ({
    question: questionOf(at + 1),
    expected: (at + 1) % WRONG_EVERY === 0 ? 'An answer that no model gives.' : replyTo(at + 1),
  }));

/** How many of them match. */
export const matchesOf = (count: number): number => count - Math.floor(count / WRONG_EVERY);
