export { TaskLoopModule } from './task-loop.module.js';
