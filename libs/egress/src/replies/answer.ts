import type { PushStream } from '@signalbox/platform';
import type { EgressResponse, EgressStream } from '../egress-request.js';
import type { Lifetime } from '../lifetime.js';
import type { Hop } from '../targets/redirect.js';
import { joined, responseHeaders } from './response-headers.js';
import type { Scrubber } from '../secrets/scrubber.js';
import type { WireReply } from './wire-reply.js';

/** Headers are scrubbed on access, because most callers read few of them. */
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

  header(name: string): string | undefined {
    const given = this.reply.raw[name];
    return given === undefined ? undefined : this.scrubber.text(joined(given));
  }

  get url(): string {
    return this.scrubber.text(this.hop.url.href);
  }

  get encoding(): string | undefined {
    const { status, raw } = this.reply;
    if (this.hop.method === 'HEAD' || status === 204 || status === 304) return undefined;
    return raw['content-encoding'] === undefined ? undefined : responseHeaders(raw)['content-encoding'];
  }
}

class AnswerHead {
  constructor(protected readonly answer: Answer) {}

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

export class StreamedAnswer extends AnswerHead implements EgressStream {
  constructor(
    answer: Answer,
    readonly body: PushStream<Buffer>,
    private readonly lifetime: Lifetime,
  ) {
    super(answer);
  }

  header(name: string): string | undefined {
    return this.answer.header(name);
  }

  async pauseFor(wait: Promise<void>): Promise<void> {
    this.lifetime.pause();
    try {
      await wait;
    } finally {
      this.lifetime.resume();
    }
  }

  readonly close = (): void => this.lifetime.abandon();
}

export class WholeAnswer extends AnswerHead implements EgressResponse {
  constructor(
    answer: Answer,
    readonly body: Buffer,
    readonly truncated: boolean,
  ) {
    super(answer);
  }
}
