import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/index.js';
import { ChunkedReplies } from './chunked-replies.js';
import { EventStreams } from './event-streams.js';

@Module({
  imports: [KeysModule],
  providers: [ChunkedReplies, EventStreams],
  exports: [ChunkedReplies, EventStreams],
})
export class StreamsModule {}
