export { GateModule } from './gate.module.js';
