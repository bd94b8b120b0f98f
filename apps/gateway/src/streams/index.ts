export { ChunkedReplies } from './chunked-replies.js';
export { disconnectSignal } from './connected.js';
export { EventStreams } from './event-streams.js';
export { StreamsModule } from './streams.module.js';
