import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { ApiError, openAiError, toApiError } from '@signalbox/contracts';
import { LOGGER, type Logger, type PushStream, pushStreamOf, type Sink } from '@signalbox/platform';
import { KeyWatch } from '../keys/index.js';
import { Reply, type ReplyHeaders, type ResponseWriter } from '../replies/index.js';
import type { RequestContext } from '../request/index.js';
import { ChunkedBody } from './chunked-body.js';
import { disconnectSignal } from './connected.js';
import { destroyUnread } from './destroy-unread.js';
import type { StreamCall } from './event-reader.js';
import { STREAM_HEADERS } from './event-streams.js';
import { openStreams } from './stream-metrics.js';

const PING_MS = 15_000;

@Injectable()
export class ChunkedReplies {
  constructor(
    private readonly bus: BusClient,
    private readonly keys: KeyWatch,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws what refuses the call. */
  async completion(context: RequestContext, call: StreamCall): Promise<OpenAiReply> {
    const { headers, send } = await this.open(context, call, SSE);
    return new OpenAiReply({ ...headers, ...STREAM_HEADERS }, send);
  }

  /** The service names the type of the file. Throws what refuses the call. */
  async download(context: RequestContext, call: StreamCall): Promise<DownloadReply> {
    const { headers, send } = await this.open(context, call, FILE);
    return new DownloadReply(headers, send);
  }

  private async open(context: RequestContext, { endpoint, input, caller }: StreamCall, framing: Framing) {
    const left = disconnectSignal(context.request.raw.socket);
    const { headers = {}, chunks } = await this.bus.stream(endpoint, input, caller, left);
    const send = (response: ServerResponse): Promise<void> =>
      new Promise<void>((resolve) => {
        const over = (failure?: unknown): void => {
          // Errors of the API were logged where they were made.
          if (failure !== undefined && !(failure instanceof ApiError))
            this.logger.error({ error: failure, request_id: context.request.id }, 'request failed');
          unwatch();
          openStreams.dec({ kind: 'chunks' });
          resolve();
        };
        const progress = new ReplyInProgress(pushStreamOf(chunks), response, left, framing, over);
        const unwatch = this.keys.watch(context, (error) => progress.cut(error));
        openStreams.inc({ kind: 'chunks' });
        progress.begin();
      });
    return { headers, send };
  }
}

abstract class ChunkedReply extends Reply {
  constructor(
    private readonly headers: ReplyHeaders,
    private readonly chunks: (response: ServerResponse) => Promise<void>,
  ) {
    super();
  }

  override async send(context: RequestContext, writer: ResponseWriter): Promise<void> {
    await this.chunks(writer.begin(context, this.headers)).finally(() => writer.ended(context));
  }
}

export class OpenAiReply extends ChunkedReply {}

export class DownloadReply extends ChunkedReply {}

interface Framing {
  ping: (response: ServerResponse) => void;
  fail: (response: ServerResponse, error: unknown) => void;
}

const SSE: Framing = {
  ping: (response) => response.write(': ping\n\n'),
  // Clients know an incomplete stream by the missing `[DONE]`.
  fail: (response, error) => response.write(`data: ${JSON.stringify({ error: openAiError(toApiError(error)) })}\n\n`),
};

/** Without the last chunk, every client reports an incomplete file. */
const FILE: Framing = { ping: () => undefined, fail: (response) => response.destroy() };

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

  chunk(chunk: Uint8Array | string): void {
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

  /** The work behind the reply is cancelled, as for a client that disconnects. */
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
