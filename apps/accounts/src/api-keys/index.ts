export { ApiKeyRow } from './api-key.entity.js';
export { ApiKeysModule } from './api-keys.module.js';
export { ApiKeys } from './api-keys.repository.js';
export { FormerPepperRow } from './former-pepper.entity.js';
export { formerPeppers, type Peppers } from './former-peppers.js';
export { FormerPepper, Pepper } from './pepper.js';
