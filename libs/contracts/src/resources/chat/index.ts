import type { chatSessions } from './chat-sessions.js';
import type { chat } from './chat.js';
import type { completions } from './completions.js';
import type { requestRecords } from './request-records.js';
import type { requests } from './requests.js';

export * from './chat-sessions.js';
export * from './chat.js';
export * from './completions.js';
export * from './completion-parameters.js';
export * from './recorded-messages.js';
export * from './request-records.js';
export * from './requests.js';
export * from './recorded-requests.js';
export * from './session-feedback.js';

/** One of the contracts of this folder, with the types of its endpoints. */
export type ChatContract =
  typeof chat | typeof completions | typeof requests | typeof requestRecords | typeof chatSessions;
