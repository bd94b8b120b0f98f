import type { Caller } from '@signalbox/contracts';
import { resume } from './resume.js';
import type { ChunkedReply } from '../calls/rpc-transport.js';
import type { StreamReply } from '../chunks/stream-reply.js';

/**
 * A chunked reply that outlives its sender: another process sends the same bytes from the start, and those already
 * delivered are skipped.
 */
export class ResumingReply implements ChunkedReply {
  readonly headers: Record<string, string>;

  constructor(
    private reply: StreamReply,
    private readonly caller: Caller,
    private readonly open: (caller: Caller) => Promise<StreamReply>,
  ) {
    this.headers = reply.headers;
  }

  get chunks(): AsyncIterable<Uint8Array> {
    return this.allChunks();
  }

  private async *allChunks(): AsyncGenerator<Uint8Array> {
    let delivered = 0;
    for (;;) {
      try {
        let skip = delivered;
        for await (const chunk of this.reply) {
          const rest = chunk.subarray(Math.min(skip, chunk.length));
          skip -= chunk.length - rest.length;
          if (rest.length === 0) continue;
          delivered += rest.length;
          yield rest;
        }
        return;
      } catch (error) {
        this.reply = await resume(error, this.caller, this.open);
      }
    }
  }
}
