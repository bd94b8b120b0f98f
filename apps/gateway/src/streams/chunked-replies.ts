import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { type PushStream, feedOf, openAiError, type Sink, toApiError } from '@signalbox/contracts';
import type { Exchange } from '../replies/exchange.js';
import { Replies } from '../replies/replies.js';
import { AccessLog } from '../replies/access-log.js';
import { ChunkedBody } from './chunked-body.js';
import { disconnectSignal } from './connected.js';
import type { StreamCall } from './event-reader.js';
import { STREAM_HEADERS } from './event-streams.js';

const PING_MS = 15_000;

/** Hands replies in pieces on to their clients, each as fast as its client takes them. */
@Injectable()
export class ChunkedReplies {
  constructor(
    private readonly bus: BusClient,
    private readonly replies: Replies,
    private readonly log: AccessLog,
  ) {}

  /** Throws only before the first piece. */
  async open(exchange: Exchange, { endpoint, input, caller }: StreamCall): Promise<void> {
    const left = disconnectSignal(exchange.request.raw.socket);
    const reply = await this.bus.stream(endpoint, input, caller, left);
    const response = this.replies.head(exchange, 200, { ...reply.headers, ...STREAM_HEADERS });
    await new Promise<void>((resolve) => new Passing(feedOf(reply.pieces), response, left, resolve).begin());
    this.log.note(exchange, 200);
  }
}

/** One reply on its way, until its end or until its client has left. */
class Passing implements Sink<Uint8Array | string> {
  private readonly ping: NodeJS.Timeout;
  private readonly body: ChunkedBody;

  constructor(
    private readonly pieces: PushStream<Uint8Array | string>,
    private readonly response: ServerResponse,
    private readonly left: AbortSignal,
    private readonly over: () => void,
  ) {
    this.body = new ChunkedBody(response);
    this.ping = setInterval(() => response.write(': ping\n\n'), PING_MS);
  }

  begin(): void {
    this.left.addEventListener('abort', this.leave, { once: true });
    if (this.left.aborted) this.leave();
    else this.pieces.to(this);
  }

  part(piece: Uint8Array | string): void {
    this.ping.refresh();
    if (this.body.write(piece)) return;
    this.pieces.pause();
    this.body.onDrain(() => this.pieces.resume());
  }

  end(): void {
    clearInterval(this.ping);
    this.left.removeEventListener('abort', this.leave);
    this.response.end();
    this.over();
  }

  fail(error: unknown): void {
    // The head is gone, so the error is one more frame; without `[DONE]` the stream is not complete.
    if (!this.left.aborted)
      this.response.write(`data: ${JSON.stringify({ error: openAiError(toApiError(error)) })}\n\n`);
    this.end();
  }

  private readonly leave = (): void => {
    this.pieces.stop();
    this.end();
  };
}
