export { SessionReads } from './session-reads.js';
export { SessionTransforms } from './session-transforms.js';
export { SessionsModule } from './sessions.module.js';
