import { ClosableStream } from './closable-stream.js';
import { completionChunks } from './events.js';
import { brokenOff } from './transport.js';

/** The chunks of a chat completion. A stream that breaks off is an error: its answer would otherwise be made twice. */
export class CompletionStream<C> extends ClosableStream<C> {
  protected async *items(): AsyncGenerator<C> {
    const { response, signal, release } = await this.transport.open(this.call);
    release();
    try {
      yield* completionChunks(response.body ?? new ReadableStream(), response.headers) as AsyncGenerator<C>;
    } catch (error) {
      throw brokenOff(error, signal);
    }
  }
}
