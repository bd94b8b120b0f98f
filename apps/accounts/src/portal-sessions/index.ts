export { PortalSessionRow } from './portal-session.entity.js';
export { PortalSessionsModule } from './portal-sessions.module.js';
export { PortalSessions } from './portal-sessions.repository.js';
