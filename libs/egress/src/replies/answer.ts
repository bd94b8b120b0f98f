import type { EgressResponse } from '../egress-request.js';
import type { Hop } from '../targets/redirect.js';
import { responseHeaders } from './response-headers.js';
import type { Scrubber } from '../secrets/scrubber.js';
import type { WireReply } from './wire-reply.js';

/** The status and headers of a response; headers are scrubbed on access, because most callers read few of them. */
export class Answer {
  constructor(
    readonly reply: WireReply,
    private readonly hop: Hop,
    readonly scrubber: Scrubber,
  ) {}

  get status(): number {
    return this.reply.status;
  }

  get headers(): Record<string, string> {
    const given = Object.entries(responseHeaders(this.reply.raw));
    return Object.fromEntries(given.map(([name, value]) => [name, this.scrubber.text(value)]));
  }

  /** The URL of the response. */
  get url(): string {
    return this.scrubber.text(this.hop.url.href);
  }

  /** The encoding of the body; undefined when there is no encoded body. */
  get encoding(): string | undefined {
    const { status, raw } = this.reply;
    if (this.hop.method === 'HEAD' || status === 204 || status === 304) return undefined;
    return raw['content-encoding'] === undefined ? undefined : responseHeaders(raw)['content-encoding'];
  }
}

/** A complete response. */
export class WholeAnswer implements EgressResponse {
  constructor(
    private readonly answer: Answer,
    readonly body: Buffer,
    readonly truncated: boolean,
  ) {}

  get status(): number {
    return this.answer.status;
  }

  get headers(): Record<string, string> {
    return this.answer.headers;
  }

  get url(): string {
    return this.answer.url;
  }
}
