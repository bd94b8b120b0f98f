import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { BusClient, type PieceReply } from '@signalbox/bus';
import { openAiError, toApiError } from '@signalbox/contracts';
import type { Exchange } from '../replies/exchange.js';
import { Replies } from '../replies/replies.js';
import { RequestLog } from '../replies/request-log.js';
import { departureFrom } from './connected.js';
import type { StreamCall } from './event-reader.js';
import { STREAM_HEADERS } from './event-streams.js';

const PING_MS = 15_000;

/** Hands replies in pieces on to their clients, each as fast as its client takes them. */
@Injectable()
export class PieceStreams {
  constructor(
    private readonly bus: BusClient,
    private readonly replies: Replies,
    private readonly log: RequestLog,
  ) {}

  /** Throws only before the first piece. */
  async open(exchange: Exchange, { endpoint, input, caller }: StreamCall): Promise<void> {
    const left = departureFrom(exchange.request.raw.socket);
    const reply = await this.bus.stream(endpoint, input, caller, left);
    const response = this.replies.head(exchange, 200, { ...reply.headers, ...STREAM_HEADERS });
    const timer = setInterval(() => response.write(': ping\n\n'), PING_MS);
    try {
      await pass(reply, response, left, timer);
    } finally {
      clearInterval(timer);
      response.end();
      this.log.note(exchange, 200);
    }
  }
}

async function pass(
  reply: PieceReply,
  response: ServerResponse,
  signal: AbortSignal,
  ping: NodeJS.Timeout,
): Promise<void> {
  try {
    for await (const piece of reply) {
      ping.refresh();
      if (!response.write(piece)) await once(response, 'drain', { signal });
    }
  } catch (thrown) {
    // The head is gone, so the error is one more frame; without `[DONE]` the stream is not complete.
    if (!signal.aborted) response.write(`data: ${JSON.stringify({ error: openAiError(toApiError(thrown)) })}\n\n`);
  }
}
