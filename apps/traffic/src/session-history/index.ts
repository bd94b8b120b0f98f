export { RecordedSessions } from './recorded-sessions.repository.js';
export { sessionFiltersOf } from './session-filters.js';
export { SessionHistoryModule } from './session-history.module.js';
