import { type Chunk, Chunks, type Endpoint } from '@signalbox/contracts';
import type { GracefulStop } from '@signalbox/platform';
import type { BusConnection } from '../connection.js';
import { goingAway } from './call-lost.js';
import { isResumable } from './resume.js';

const RECONNECT_MS = 30_000;

/**
 * Returns resumable calls to their callers when this process stops, and chunked replies when the connection was lost,
 * because chunks under way may be lost with it.
 */
export class ReturnedCalls {
  constructor(
    private readonly stop: GracefulStop,
    /** Null within one process. */
    private readonly connection: BusConnection | null,
  ) {}

  /** Rejects once the stop has begun, so that another process continues the call. */
  result<T>(endpoint: Endpoint, work: Promise<T>): Promise<T> {
    return isResumable(endpoint) ? unlessAborted(this.stop.stopping, work) : work;
  }

  /** Continues for the whole grace period, so that short streams can end. */
  chunks(endpoint: Endpoint, { chunks, headers }: Chunks): Chunks {
    const connected = this.connection ? this.whileConnected(this.connection, chunks) : chunks;
    return new Chunks(isResumable(endpoint) ? until(this.stop.graceOver, connected) : connected, headers);
  }

  private async *whileConnected(connection: BusConnection, chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
    const { lost } = connection;
    try {
      yield* until(lost, chunks);
    } catch (error) {
      // The caller learns of it by the first message that reaches it again.
      if (lost.aborted) await connection.ready(Date.now() + RECONNECT_MS)?.catch(() => undefined);
      throw error;
    }
  }
}

async function* until(end: AbortSignal, chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  const rest = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await unlessAborted(end, rest.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: an iterator that hangs in `next` would withhold the error from its receiver.
    rest.return?.().catch(() => undefined);
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
