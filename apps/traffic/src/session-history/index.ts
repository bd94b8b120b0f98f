export { RecordedSessions } from './recorded-sessions.repository.js';
export { filtersOf } from './session-filters.js';
export { SessionHistoryModule } from './session-history.module.js';
