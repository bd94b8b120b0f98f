import { largeTableIndexes } from '@signalbox/database';

/** Sessions end when they are idle as well as when they expire. */
export const IdleSessions1700000009550 = largeTableIndexes('IdleSessions1700000009550', 'accounts', [
  { name: 'portal_sessions_last_seen', on: 'accounts.portal_sessions (last_seen_at)' },
]);
