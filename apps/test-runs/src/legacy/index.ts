export { LegacyModule } from './legacy.module.js';
