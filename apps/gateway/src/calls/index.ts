export { CallsModule } from './calls.module.js';
