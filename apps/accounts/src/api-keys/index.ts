export { ApiKeyRow } from './api-key.entity.js';
export { ApiKeysModule } from './api-keys.module.js';
export { ApiKeys } from './api-keys.repository.js';
export { FormerPepper, Pepper } from './pepper.js';
