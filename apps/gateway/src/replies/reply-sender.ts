import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { largeWork } from '@signalbox/platform';
import type { RequestContext } from '../request/index.js';
import { ContentReply, JsonReply, Reply } from './reply.js';
import { ResponseWriter } from './response-writer.js';

/** An adapter of Nest that lets another send what a handler returns. */
export interface SendingAdapter {
  sendRepliesWith(sender: ReplySender): void;
}

/**
 * Sends what a handler returns, when all interceptors have seen it: a reply of the kind that it has chosen, and any
 * other value as the data of the envelope. The request ends with the last byte of its reply.
 */
@Injectable()
export class ReplySender implements OnModuleInit {
  constructor(
    private readonly writer: ResponseWriter,
    private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    (this.host.httpAdapter as unknown as SendingAdapter).sendRepliesWith(this);
  }

  async send(context: RequestContext, value: unknown): Promise<void> {
    const reply = value instanceof Reply ? value : JsonReply.of({ data: value ?? null });
    if (reply instanceof ContentReply) await largeWork.turn(reply.body.length, context.companyId);
    await reply.send(context, this.writer);
    context.end();
  }
}
