import { completionChunks } from './events.js';
import type { PreparedCall } from './operation.js';
import type { Transport } from './transport.js';

/** The chunks of a chat completion. A stream that breaks off is an error: its answer would otherwise be made twice. */
export class CompletionStream<C> implements AsyncIterable<C> {
  constructor(
    private readonly transport: Transport,
    private readonly call: PreparedCall,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<C> {
    const { response, release } = await this.transport.open(this.call);
    release();
    yield* completionChunks(response.body ?? new ReadableStream(), response.headers) as AsyncGenerator<C>;
  }
}
