export { newIntent } from './intent.js';
export { IntentsModule } from './intents.module.js';
export { Intents } from './intents.repository.js';
