export { RunLoopModule } from './run-loop.module.js';
