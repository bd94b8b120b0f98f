import type { ServerResponse } from 'node:http';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { BusClient, BusConnection } from '@signalbox/bus';
import type { Endpoint, StreamPart } from '@signalbox/contracts';
import { LOGGER, type Logger } from '@signalbox/platform';
import { KeyWatch } from '../keys/index.js';
import { Reply, type ReplyHeaders, type ResponseWriter } from '../replies/index.js';
import type { RequestContext } from '../request/index.js';
import { EventReader, type StreamCall } from './event-reader.js';
import { LiveSubjects } from './live-subjects.js';
import { openStreams } from './stream-metrics.js';

export const STREAM_HEADERS: ReplyHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

export class EventStreamReply extends Reply {
  constructor(
    private readonly headers: ReplyHeaders,
    private readonly stream: (context: RequestContext, response: ServerResponse) => Promise<void>,
  ) {
    super();
  }

  override async send(context: RequestContext, writer: ResponseWriter): Promise<void> {
    const response = writer.begin(context, { ...this.headers, ...STREAM_HEADERS });
    await this.stream(context, response).finally(() => writer.ended(context));
  }
}

@Injectable()
export class EventStreams implements OnModuleInit {
  private readonly readers = new Set<EventReader>();
  private readonly subjects: LiveSubjects;
  /** Pending reads of endless streams, shared within one turn of the event loop. */
  private readonly reads = new Map<string, Promise<StreamPart>>();
  private isStopping = false;

  constructor(
    private readonly bus: BusClient,
    private readonly connection: BusConnection,
    private readonly keys: KeyWatch,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.subjects = new LiveSubjects(connection);
  }

  onModuleInit(): void {
    this.connection.onReconnect(() => this.readers.forEach((reader) => reader.readMissed()));
  }

  /** Reads the first part; throws what refuses the call. */
  async open(call: StreamCall, headers: ReplyHeaders = {}): Promise<EventStreamReply> {
    const first = await this.part(call.endpoint, call.input, call);
    return new EventStreamReply(headers, (context, response) => this.stream(context, response, call, first));
  }

  private async stream(
    context: RequestContext,
    response: ServerResponse,
    call: StreamCall,
    first: StreamPart,
  ): Promise<void> {
    const reader = new EventReader(response, {
      from: (call.input as { last_event_id?: number }).last_event_id ?? 0,
      read: (seq) => this.next(call, seq),
      listen: (subject, receive) => this.subjects.listen(subject, receive),
      failed: (error) => this.logger.warn({ error, request_id: context.request.id }, 'events could not be read'),
    });
    this.readers.add(reader);
    openStreams.inc({ kind: 'events' });
    const unwatch = this.keys.watch(context, (error) => reader.cut(error));
    try {
      const ended = reader.run(first);
      if (this.isStopping) reader.end();
      await ended;
    } finally {
      unwatch();
      this.readers.delete(reader);
      openStreams.dec({ kind: 'events' });
    }
  }

  /**
   * Ends every stream between two events, and later ones after what is stored: clients resume at another process from
   * the last id they received. Otherwise a stream would last as long as its task waits for a callback.
   */
  endAll(): void {
    this.isStopping = true;
    this.readers.forEach((reader) => reader.end());
  }

  /**
   * Reads what follows an event. One message wakes many endless streams; those of a company at the same position of the
   * same events share one read.
   */
  private next(call: StreamCall, seq: number): Promise<StreamPart> {
    const { endpoint, caller } = call;
    const input = { ...call.input, last_event_id: seq };
    if (!endpoint.endless) return this.part(endpoint, input, call);
    const key = JSON.stringify([endpoint.subject, caller.companyId, input]);
    const read = this.reads.get(key) ?? this.part(endpoint, input, call);
    this.reads.set(key, read);
    // A later message may announce what this read does not see.
    setImmediate(() => this.reads.delete(key));
    return read;
  }

  private part(endpoint: Endpoint, input: object, { caller }: StreamCall): Promise<StreamPart> {
    const fresh = { ...caller, deadline: Math.max(caller.deadline, Date.now() + 30_000) };
    return this.bus.call(endpoint, input as never, fresh) as Promise<unknown> as Promise<StreamPart>;
  }
}
