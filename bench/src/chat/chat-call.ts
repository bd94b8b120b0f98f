/** Tokens of a streamed reply, and the pause after each. */
export const STREAM_TOKENS = 40;
export const STREAM_GAP_MS = 5;

const SYSTEM =
  'You are the assistant of a shop for garden tools. Answer in two or three sentences, in the language of the question, and say so when you do not know. ';
const TEXT =
  'I bought a hedge trimmer from you last spring and it has started to make a rattling noise when it warms up. What should I check before I send it in? ';

const REPLY_TEXT =
  'An answer of a usual length, as a model gives it to a user who asks how to reset a password. '.repeat(4);

/** A question by its number, without a system prompt. */
export const questionOf = (id: number | string): string => `question ${id}: ${TEXT}`;
/** The text with which the upstream answers a question. */
export const replyTo = (id: number | string): string => `About ${id}: ${REPLY_TEXT}`;

const call = (more: object): string =>
  JSON.stringify({
    model: 'bench-model',
    messages: [
      { role: 'system', content: SYSTEM.repeat(2) },
      { role: 'user', content: questionOf('{id}') },
    ],
    temperature: 0.2,
    max_tokens: 300,
    ...more,
  });

/** A chat call as a client sends it; `{id}` stands for its number. */
export const CALL = call({});
/** Text of a correct reply. */
export const EXPECT = 'About {id}: An answer of a usual length';
/** The same with a streamed reply. */
export const STREAMED_CALL = call({ stream: true }).replace('{id}', '1');
