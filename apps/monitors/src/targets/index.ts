export { TargetsModule } from './targets.module.js';
