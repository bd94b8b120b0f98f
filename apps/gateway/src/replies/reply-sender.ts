import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { largeWork } from '@signalbox/platform';
import type { RequestContext } from '../request/index.js';
import { ContentReply, JsonReply, Reply } from './reply.js';
import { ResponseWriter } from './response-writer.js';

export interface SendingAdapter {
  sendRepliesWith(sender: ReplySender): void;
}

/** Sends what a handler returns, after all interceptors: a `Reply`, or any other value as `{"data": …}`. */
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
