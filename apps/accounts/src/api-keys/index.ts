export { ApiKeyRow } from './api-key.entity.js';
export { ApiKeysModule } from './api-keys.module.js';
export { ApiKeys, Pepper } from './api-keys.repository.js';
