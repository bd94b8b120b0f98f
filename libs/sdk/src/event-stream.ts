import { ClosableStream } from './closable-stream.js';
import { ApiError, ConnectionError } from './errors.js';
import { framesOf, isEndFrame, isErrorFrame, isTerminal, parsed, streamError } from './events.js';
import { backoffMs, connectionError, isTransient, pause } from './transport.js';

/** A position in a stream, across connections. */
interface Position {
  /** Id of the last event that was returned, or the position that the platform sent after it. */
  lastId: string | undefined;
  /** Connections one after the other that were lost or ended, without an event and after a short time. */
  failures: number;
  /** When the first of these was lost, in epoch milliseconds. */
  lostAt: number;
  /** A stream without a terminal event: only such a stream has positions without events. */
  isEndless: boolean;
  /** The stream was open once: a later connection that is refused for a moment is a lost one. */
  wasOpen: boolean;
  /** The platform says that nothing is left of the stream. */
  isComplete: boolean;
}

const RECONNECTS = 5;
/** A stream that was open once is opened again for as long, however often that fails: a platform may start slowly. */
const OUTAGE_MS = 120_000;
const QUIET_FAILURES = 2;
/** A connection that was open for so long was a good one. */
const GOOD_MS = 30_000;

/**
 * The events of a task, a run or a company. A connection that is lost is opened again and continues after the last
 * event received; the stream of a task or run ends after its terminal event, that of a company never. A stream that the
 * platform ends because the key is no longer valid, or what it belongs to was deleted, throws the error of its status.
 * Leaving the loop closes the connection, and so does `close()`.
 */
export class EventStream<E> extends ClosableStream<E> {
  protected async *items(): AsyncGenerator<E> {
    const position: Position = {
      lastId: undefined,
      failures: 0,
      lostAt: 0,
      isEndless: false,
      wasOpen: false,
      isComplete: false,
    };
    for (;;) {
      const openedAt = Date.now();
      let lost: unknown;
      try {
        for await (const event of this.connection(position)) {
          position.failures = 0;
          yield event;
          if (isTerminal(event)) return;
        }
        if (position.isComplete) return;
      } catch (error) {
        if (!this.mayPass(error, position)) throw error;
        lost = error;
      }
      if (Date.now() - openedAt > GOOD_MS) position.failures = 0;
      await this.pauseBeforeNext(position, lost);
    }
  }

  private async *connection(position: Position): AsyncGenerator<E> {
    const { headers } = this.call;
    const { lastId } = position;
    if (position.failures++ === 0) position.lostAt = Date.now();
    const reply = await this.transport.open({
      ...this.call,
      headers: lastId === undefined ? headers : { ...headers, 'last-event-id': lastId },
    });
    reply.release();
    position.wasOpen = true;
    try {
      for await (const frame of framesOf(reply.response.body ?? new ReadableStream())) {
        if (isErrorFrame(frame)) throw streamError(frame, reply.response.headers);
        if (isEndFrame(frame)) position.isComplete = true;
        const { id, data } = frame;
        // The stream of a repeated POST starts from its first event.
        const isKnown = id !== null && lastId !== undefined && Number(id) <= Number(lastId);
        if (isKnown) continue;
        position.lastId = id ?? position.lastId;
        if (data !== null) yield parsed(data) as E;
        else if (id !== null) position.isEndless = true;
      }
    } catch (error) {
      throw error instanceof ApiError ? error : connectionError(error, reply.signal);
    }
  }

  /** A lost connection, or a platform that refuses or ends an open stream for a moment. */
  private mayPass(error: unknown, { wasOpen, failures, lostAt }: Position): boolean {
    if (this.transport.signalOf(this.call)?.aborted === true) return false;
    if (failures > RECONNECTS && (!wasOpen || Date.now() - lostAt > OUTAGE_MS)) return false;
    return error instanceof ConnectionError || (wasOpen && isTransient(error, this.call));
  }

  /** A server that stops ends its streams between two events: the next connection continues where they ended. */
  private async pauseBeforeNext(position: Position, lost: unknown): Promise<void> {
    // Quiet connections of an endless stream may end one after the other for ever.
    if (position.isEndless && lost === undefined) position.failures = Math.min(position.failures, QUIET_FAILURES);
    const { failures } = position;
    if (lost === undefined && failures > RECONNECTS)
      throw new ConnectionError('the stream ended before its last event');
    if (lost !== undefined || failures > 0)
      await pause(backoffMs(Math.max(failures, 1) - 1), this.transport.signalOf(this.call));
  }
}
