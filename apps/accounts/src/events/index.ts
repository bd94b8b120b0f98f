export { matchesEvent, requireKnownPatterns } from './event-patterns.js';
export { EVENT_TYPES } from './event-types.js';
export { EventsModule } from './events.module.js';
