import { ClosableStream } from './closable-stream.js';
import { ConnectionError } from './errors.js';
import { framesOf, isEndFrame, isErrorFrame, isTerminal, parsed, streamError } from './events.js';
import { backoffMs, brokenOff, isTransient, pause } from './transport.js';

/** Across connections. */
interface Position {
  /** Of the last event returned, or the position that the platform sent after it. */
  lastId: string | undefined;
  /** Connections in a row that ended early and without an event. */
  failures: number;
  /** When the first of them ended, in epoch ms. */
  lostAt: number;
  /** Without a terminal event; only such a stream has positions without events. */
  isEndless: boolean;
  /** A refusal after the stream was open counts as a lost connection. */
  wasOpen: boolean;
  /** Nothing is left of the stream. */
  isComplete: boolean;
}

const RECONNECTS = 5;
/** A stream that was open is reopened for so long, however often that fails: a platform may start slowly. */
const OUTAGE_MS = 120_000;
const QUIET_FAILURES = 2;
/** A connection that lasted longer resets the count of failures. */
const GOOD_MS = 30_000;

/**
 * The events of a task, a run or a company. A lost connection is opened again and continues after the last event
 * received; the stream of a task or run ends after its terminal event, that of a company never. A stream that the
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
      throw brokenOff(error, reply.signal);
    }
  }

  /** A lost connection, or a platform that refuses or ends an open stream temporarily. */
  private mayPass(error: unknown, { wasOpen, failures, lostAt }: Position): boolean {
    if (this.transport.signalOf(this.call)?.aborted === true) return false;
    if (failures > RECONNECTS && (!wasOpen || Date.now() - lostAt > OUTAGE_MS)) return false;
    return error instanceof ConnectionError || (wasOpen && isTransient(error, this.call));
  }

  /** A stopping server ends its streams between two events: the next connection continues there. */
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
