import { ago, duration } from './formats.js';

/** How long something still waits for an answer, or since when it is too late. */
export const deadlineWords = (at: number, now: number): string =>
  at > now ? `in ${duration(at - now)}` : `missed ${ago(at, now)}`;
