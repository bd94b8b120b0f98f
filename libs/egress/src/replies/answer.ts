import type { EgressResponse } from '../egress-request.js';
import type { Hop } from '../targets/redirect.js';
import { responseHeaders } from './response-headers.js';
import type { Scrubber } from '../secrets/scrubber.js';
import type { WireReply } from './wire-reply.js';

/** What is known of an answer before its body: scrubbed when somebody looks at it, for most callers look at little. */
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

  /** Where the answer came from. */
  get url(): string {
    return this.scrubber.text(this.hop.url.href);
  }

  /** The encodings of the body, none when there is no body to be encoded. */
  get encoding(): string | undefined {
    const { status, raw } = this.reply;
    if (this.hop.method === 'HEAD' || status === 204 || status === 304) return undefined;
    return raw['content-encoding'] === undefined ? undefined : responseHeaders(raw)['content-encoding'];
  }
}

/** A complete answer. */
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
