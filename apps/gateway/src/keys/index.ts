export { ApiKeyGuard } from './api-key.guard.js';
export { Authenticator, requireScope } from './authenticator.js';
export { isOwnPage } from './fetch-metadata.js';
export { KeyWatch } from './key-watch.js';
export { KeysModule } from './keys.module.js';
export { presentedSession, SESSION_COOKIE } from './presented-session.js';
export { publicOriginOf, publicOriginsOf } from './public-origin.js';
export { ScopeGuard } from './scope.guard.js';
