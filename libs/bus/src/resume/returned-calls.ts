import { type Chunk, Chunks, type Endpoint } from '@signalbox/contracts';
import type { GracefulStop } from '@signalbox/platform';
import { goingAway } from './call-lost.js';
import { isResumable } from './resume.js';

/** Returns calls that another process can continue to their callers when this process stops. */
export class ReturnedCalls {
  constructor(private readonly stop: GracefulStop) {}

  /** The result of a handler; once the stop has begun, the error that sends the call to another process. */
  result<T>(endpoint: Endpoint, work: Promise<T>): Promise<T> {
    return isResumable(endpoint) ? unlessAborted(this.stop.stopping, work) : work;
  }

  /** The chunks of a reply; they continue for the whole grace period, so that a stream that can end in it does. */
  chunks(endpoint: Endpoint, { chunks, headers }: Chunks): Chunks {
    return new Chunks(isResumable(endpoint) ? this.untilGraceOver(chunks) : chunks, headers);
  }

  private async *untilGraceOver(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const rest = chunks[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await unlessAborted(this.stop.graceOver, rest.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // Not awaited: an iterator that hangs in `next` would withhold the error from its receiver.
      rest.return?.().catch(() => undefined);
    }
  }
}

function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(goingAway());
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
}
