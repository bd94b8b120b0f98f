import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { ApiError, type PushStream, pushStreamOf, openAiError, type Sink, toApiError } from '@signalbox/contracts';
import { LOGGER, type Logger } from '@signalbox/platform';
import type { Exchange } from '../replies/exchange.js';
import { Replies, type ReplyHeaders } from '../replies/replies.js';
import { AccessLog } from '../replies/access-log.js';
import { KeyWatch } from '../keys/key-watch.js';
import { ChunkedBody } from './chunked-body.js';
import { disconnectSignal } from './connected.js';
import { destroyUnread } from './destroy-unread.js';
import type { StreamCall } from './event-reader.js';
import { STREAM_HEADERS } from './event-streams.js';

const PING_MS = 15_000;

/** Sends chunked replies to their clients, each as fast as its client reads. */
@Injectable()
export class ChunkedReplies {
  constructor(
    private readonly bus: BusClient,
    private readonly replies: Replies,
    private readonly keys: KeyWatch,
    private readonly log: AccessLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Sends frames of server-sent events. Throws only before the first chunk. */
  open(exchange: Exchange, call: StreamCall): Promise<void> {
    return this.send(exchange, call, STREAM_HEADERS, SSE);
  }

  /** Sends a file, whose type the service names. Throws only before the first chunk. */
  download(exchange: Exchange, call: StreamCall): Promise<void> {
    return this.send(exchange, call, {}, FILE);
  }

  private async send(
    exchange: Exchange,
    { endpoint, input, caller }: StreamCall,
    headers: ReplyHeaders,
    framing: Framing,
  ): Promise<void> {
    const left = disconnectSignal(exchange.request.raw.socket);
    const reply = await this.bus.stream(endpoint, input, caller, left);
    const response = this.replies.head(exchange, 200, { ...reply.headers, ...headers });
    await new Promise<void>((resolve) => {
      const over = (failure?: unknown): void => {
        // An error of the API was logged where it was made.
        if (failure !== undefined && !(failure instanceof ApiError))
          this.logger.error({ error: failure, request_id: exchange.request.id }, 'request failed');
        unwatch();
        resolve();
      };
      const progress = new ReplyInProgress(pushStreamOf(reply.chunks), response, left, framing, over);
      const unwatch = this.keys.watch(exchange, (error) => progress.cut(error));
      progress.begin();
    });
    this.log.note(exchange, 200);
  }
}

/** What is sent between chunks and after a failure, when the head is sent already. */
interface Framing {
  ping: (response: ServerResponse) => void;
  fail: (response: ServerResponse, error: unknown) => void;
}

const SSE: Framing = {
  ping: (response) => response.write(': ping\n\n'),
  // The error is one more frame; without `[DONE]` the stream is not complete.
  fail: (response, error) => response.write(`data: ${JSON.stringify({ error: openAiError(toApiError(error)) })}\n\n`),
};

/** A file that is not complete ends without the last chunk, which every client reports as an error. */
const FILE: Framing = { ping: () => undefined, fail: (response) => response.destroy() };

/** One reply in progress, until its end or until its client disconnects. */
class ReplyInProgress implements Sink<Uint8Array | string> {
  private readonly ping: NodeJS.Timeout;
  private readonly body: ChunkedBody;

  constructor(
    private readonly chunks: PushStream<Uint8Array | string>,
    private readonly response: ServerResponse,
    private readonly left: AbortSignal,
    private readonly framing: Framing,
    private readonly over: (failure?: unknown) => void,
  ) {
    this.body = new ChunkedBody(response);
    this.ping = setInterval(() => framing.ping(response), PING_MS);
  }

  begin(): void {
    this.left.addEventListener('abort', this.disconnect, { once: true });
    if (this.left.aborted) this.disconnect();
    else this.chunks.to(this);
  }

  part(chunk: Uint8Array | string): void {
    this.ping.refresh();
    if (this.body.write(chunk)) return;
    this.chunks.pause();
    this.body.onDrain(() => this.chunks.resume());
  }

  end(failure?: unknown): void {
    clearInterval(this.ping);
    this.left.removeEventListener('abort', this.disconnect);
    this.response.end();
    this.over(failure);
  }

  fail(error: unknown): void {
    if (!this.left.aborted) this.framing.fail(this.response, error);
    this.end(error);
  }

  /** Ends the reply before its last chunk; the work behind it is cancelled as for a client that disconnects. */
  cut(error: ApiError): void {
    this.chunks.stop();
    this.fail(error);
    destroyUnread(this.response);
  }

  private readonly disconnect = (): void => {
    this.chunks.stop();
    this.end();
  };
}
