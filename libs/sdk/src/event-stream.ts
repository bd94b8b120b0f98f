import { ApiError, ConnectionError } from './errors.js';
import { framesOf, isTerminal, parsed } from './events.js';
import type { PreparedCall } from './operation.js';
import { backoffMs, connectionError, pause, type Transport } from './transport.js';

/** A position in a stream, across connections. */
interface Position {
  /** Id of the last event that was returned. */
  lastId: string | undefined;
  /** Connections that failed one after the other. */
  failures: number;
}

const RECONNECTS = 5;

/**
 * The events of a task, a run or a company. A connection that is lost is opened again and continues after the last
 * event received; it ends after the terminal event. Leaving the loop closes the connection.
 */
export class EventStream<E> implements AsyncIterable<E> {
  constructor(
    private readonly transport: Transport,
    private readonly call: PreparedCall,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<E> {
    const position: Position = { lastId: undefined, failures: 0 };
    for (;;) {
      let received = 0;
      try {
        for await (const { id, event } of this.connection(position.lastId)) {
          received++;
          position.failures = 0;
          position.lastId = id ?? position.lastId;
          yield event;
          if (isTerminal(event)) return;
        }
        // An end without events is that of a task or run whose last event was received before.
        if (received === 0 && position.lastId !== undefined) return;
      } catch (error) {
        await this.recover(error, position);
      }
    }
  }

  private async *connection(lastId: string | undefined): AsyncGenerator<{ id: string | null; event: E }> {
    const { headers } = this.call;
    const reply = await this.transport.open({
      ...this.call,
      headers: lastId === undefined ? headers : { ...headers, 'last-event-id': lastId },
    });
    reply.release();
    try {
      for await (const { id, data } of framesOf(reply.response.body ?? new ReadableStream())) {
        // The stream of a repeated POST starts from its first event.
        const isKnown = id !== null && lastId !== undefined && Number(id) <= Number(lastId);
        if (!isKnown) yield { id, event: parsed(data) as E };
      }
    } catch (error) {
      throw error instanceof ApiError ? error : connectionError(error, reply.signal);
    }
  }

  /** Waits before the next connection; throws what cannot pass. */
  private async recover(error: unknown, position: Position): Promise<void> {
    const signal = this.transport.signalOf(this.call);
    if (signal?.aborted === true || !(error instanceof ConnectionError)) throw error;
    if (++position.failures > RECONNECTS) throw error;
    await pause(backoffMs(position.failures - 1), signal);
  }
}
