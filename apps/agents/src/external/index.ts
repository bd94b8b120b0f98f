export { ExternalModule } from './external.module.js';
