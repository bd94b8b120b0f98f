import type { RequestContext } from '../request/index.js';
import type { ReplyHeaders, ResponseWriter } from './response-writer.js';

export abstract class Reply {
  /** Resolves when the reply was sent; throws only before its head is sent. */
  abstract send(context: RequestContext, writer: ResponseWriter): void | Promise<void>;
}

/** From here a text is sent as bytes: Node would measure it, then copy it behind the head. */
const LONG_TEXT = 65_536;

export class ContentReply extends Reply {
  constructor(
    readonly body: string | Buffer,
    readonly type: string,
    readonly headers: ReplyHeaders = {},
    readonly status = 200,
  ) {
    super();
  }

  override send(context: RequestContext, writer: ResponseWriter): void {
    const { body } = this;
    const isLongText = typeof body === 'string' && body.length >= LONG_TEXT;
    writer.whole(context, this.status, isLongText ? Buffer.from(body) : body, this.type, this.headers);
  }
}

export class JsonReply extends ContentReply {
  constructor(json: string, headers?: ReplyHeaders, status?: number) {
    super(json, 'application/json; charset=utf-8', headers, status);
  }

  static of(value: unknown, status?: number, headers?: ReplyHeaders): JsonReply {
    return new JsonReply(JSON.stringify(value), headers, status);
  }
}

export class EmptyReply extends Reply {
  constructor(
    readonly status: number,
    readonly headers: ReplyHeaders,
  ) {
    super();
  }

  override send(context: RequestContext, writer: ResponseWriter): void {
    writer.empty(context, this.status, this.headers);
  }
}
