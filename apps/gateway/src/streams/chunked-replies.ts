import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { type PushStream, pushStreamOf, openAiError, type Sink, toApiError } from '@signalbox/contracts';
import type { Exchange } from '../replies/exchange.js';
import { Replies } from '../replies/replies.js';
import { AccessLog } from '../replies/access-log.js';
import { ChunkedBody } from './chunked-body.js';
import { disconnectSignal } from './connected.js';
import type { StreamCall } from './event-reader.js';
import { STREAM_HEADERS } from './event-streams.js';

const PING_MS = 15_000;

/** Sends chunked replies to their clients, each as fast as its client reads. */
@Injectable()
export class ChunkedReplies {
  constructor(
    private readonly bus: BusClient,
    private readonly replies: Replies,
    private readonly log: AccessLog,
  ) {}

  /** Throws only before the first chunk. */
  async open(exchange: Exchange, { endpoint, input, caller }: StreamCall): Promise<void> {
    const left = disconnectSignal(exchange.request.raw.socket);
    const reply = await this.bus.stream(endpoint, input, caller, left);
    const response = this.replies.head(exchange, 200, { ...reply.headers, ...STREAM_HEADERS });
    await new Promise<void>((resolve) =>
      new ReplyInProgress(pushStreamOf(reply.chunks), response, left, resolve).begin(),
    );
    this.log.note(exchange, 200);
  }
}

/** One reply in progress, until its end or until its client disconnects. */
class ReplyInProgress implements Sink<Uint8Array | string> {
  private readonly ping: NodeJS.Timeout;
  private readonly body: ChunkedBody;

  constructor(
    private readonly chunks: PushStream<Uint8Array | string>,
    private readonly response: ServerResponse,
    private readonly left: AbortSignal,
    private readonly over: () => void,
  ) {
    this.body = new ChunkedBody(response);
    this.ping = setInterval(() => response.write(': ping\n\n'), PING_MS);
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

  end(): void {
    clearInterval(this.ping);
    this.left.removeEventListener('abort', this.disconnect);
    this.response.end();
    this.over();
  }

  fail(error: unknown): void {
    // The head is sent, so the error is one more frame; without `[DONE]` the stream is not complete.
    if (!this.left.aborted)
      this.response.write(`data: ${JSON.stringify({ error: openAiError(toApiError(error)) })}\n\n`);
    this.end();
  }

  private readonly disconnect = (): void => {
    this.chunks.stop();
    this.end();
  };
}
