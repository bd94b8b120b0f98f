import type { RequestContext } from '../request/index.js';
import type { ReplyHeaders, ResponseWriter } from './response-writer.js';

/** What a handler returns: one kind of reply, chosen by the contract of the call. */
export abstract class Reply {
  /** Sends the reply to its end; throws only before its head is sent. */
  abstract send(context: RequestContext, writer: ResponseWriter): void | Promise<void>;
}

/** Characters from which a text is sent as bytes: as a text it is measured first, and copied behind the head. */
const LONG_TEXT = 65_536;

/** Content of any type that is known as a whole. */
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

/** JSON text, as a service has written it. */
export class JsonReply extends ContentReply {
  constructor(json: string, headers?: ReplyHeaders, status?: number) {
    super(json, 'application/json; charset=utf-8', headers, status);
  }

  /** A value as JSON. */
  static of(value: unknown, status?: number, headers?: ReplyHeaders): JsonReply {
    return new JsonReply(JSON.stringify(value), headers, status);
  }
}

/** A reply without a body. */
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
