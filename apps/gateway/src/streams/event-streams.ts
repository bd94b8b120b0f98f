import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { BusClient, BusConnection } from '@signalbox/bus';
import type { Endpoint, StreamPart } from '@signalbox/contracts';
import { LOGGER, type Logger } from '@signalbox/platform';
import type { Exchange } from '../replies/exchange.js';
import { Replies, type ReplyHeaders } from '../replies/replies.js';
import { AccessLog } from '../replies/access-log.js';
import { KeyWatch } from '../keys/key-watch.js';
import { EventReader, type StreamCall } from './event-reader.js';

/** The headers of every stream of events. */
export const STREAM_HEADERS: ReplyHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** The open event streams of this process. */
@Injectable()
export class EventStreams implements OnModuleInit {
  private readonly open_ = new Set<EventReader>();
  private isEndlessEnded = false;

  constructor(
    private readonly bus: BusClient,
    private readonly connection: BusConnection,
    private readonly replies: Replies,
    private readonly keys: KeyWatch,
    private readonly log: AccessLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.connection.onReconnect(() => this.open_.forEach((reader) => reader.readMissed()));
  }

  /**
   * Streams until the terminal event, until the client disconnects or until its key is no longer valid; throws only
   * before the first frame.
   */
  async open(exchange: Exchange, call: StreamCall, headers?: ReplyHeaders): Promise<void> {
    const first = await this.part(call.endpoint, call.input, call);
    const response = this.replies.head(exchange, 200, { ...headers, ...STREAM_HEADERS });
    const reader = new EventReader(response, {
      from: (call.input as { last_event_id?: number }).last_event_id ?? 0,
      read: (seq) => this.part(call.endpoint, { ...call.input, last_event_id: seq }, call),
      listen: (subject, onPayload) => this.connection.listen(subject, onPayload),
      failed: (error) => this.logger.warn({ error, request_id: exchange.request.id }, 'events could not be read'),
    });
    this.open_.add(reader);
    const unwatch = this.keys.watch(exchange, (error) => reader.cut(error));
    try {
      const ended = reader.run(first);
      if (reader.isEndless && this.isEndlessEnded) reader.end();
      await ended;
    } finally {
      unwatch();
      this.open_.delete(reader);
      this.log.note(exchange, 200);
    }
  }

  /** Ends every stream between two events; clients reconnect with the last id they have received. */
  endAll(): void {
    this.open_.forEach((reader) => reader.end());
  }

  /** Ends the streams that never end by themselves: a stop would wait for them in vain. */
  endEndless(): void {
    this.isEndlessEnded = true;
    this.open_.forEach((reader) => reader.isEndless && reader.end());
  }

  private part(endpoint: Endpoint, input: object, { caller }: StreamCall): Promise<StreamPart> {
    const fresh = { ...caller, deadline: Math.max(caller.deadline, Date.now() + 30_000) };
    return this.bus.call(endpoint, input as never, fresh) as Promise<unknown> as Promise<StreamPart>;
  }
}
