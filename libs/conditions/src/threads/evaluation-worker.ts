import { workerData } from 'node:worker_threads';
import { lowerPriority } from './thread-priority.js';
import { ownThreadId } from './thread-time.js';

// Before the modules are loaded, which takes 100 ms of CPU time.
lowerPriority(ownThreadId(), workerData as number);
await import('./evaluation-loop.js');
