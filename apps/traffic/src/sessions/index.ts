export { newMessagesIn } from './new-messages.js';
export { SessionClaims } from './session-claims.js';
export { countsOf } from './session-counts.js';
export { newSessionId } from './session-id.js';
export { type LockedSession, lockSession } from './session-row.js';
export { LAST_EVENTS, summaryCall, summaryOf } from './session-summary.js';
export { SessionsModule } from './sessions.module.js';
export { Sessions } from './sessions.repository.js';
