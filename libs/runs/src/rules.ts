/** For pure rules of a service: imports no framework. */
export { type CallFailure, callFailureOf, requestIdOf } from './calls/call-failure.js';
export { cutText, stripUnstorable } from './stored-text.js';
export type { RunEvent } from './run-event.js';
export {
  RUN_TRANSITIONS,
  type RunStatus,
  type RunTrigger,
  type States,
  statesOf,
  type TransitionTable,
} from './states.js';
