import { networkInterfaces } from 'node:os';
import { requireNoTransaction, traceparentOf } from '@signalbox/platform';
import { AllowList } from './targets/allow-list.js';
import { Answer, StreamedAnswer, WholeAnswer } from './replies/answer.js';
import { collected } from './replies/body.js';
import { decoded } from './replies/decoding.js';
import { Destination } from './targets/destination.js';
import { Dispatchers, systemResolver } from './dispatchers.js';
import type {
  EgressCall,
  EgressOptions,
  EgressRequest,
  EgressResponse,
  EgressStream,
  EgressTarget,
} from './egress-request.js';
import { egressSpan } from './egress-span.js';
import { EgressFailed, toEgressError, type EgressError } from './errors.js';
import { Lifetime } from './lifetime.js';
import { nextHop, type Hop } from './targets/redirect.js';
import type { SecretBag } from './secrets/secret-bag.js';
import { StreamedBody } from './replies/streamed-body.js';
import { WireReply } from './replies/wire-reply.js';

const MAX_BYTES = 5_000_000;

/** The only HTTP client of the platform: every target, address and redirect is checked, every size and time bounded. */
export class Egress {
  readonly #dispatchers: Dispatchers;
  readonly #operator: AllowList;
  /** Addresses of this machine, refused although public. */
  readonly #own = interfaceAddresses();

  constructor(private readonly options: EgressOptions) {
    this.#operator = new AllowList(options.allow, this.#own);
    const { lookup = systemResolver, connectTimeoutMs = 10_000, caFile } = options;
    this.#dispatchers = new Dispatchers(lookup, connectTimeoutMs, caFile);
  }

  /** For many calls to one target; throws the same errors as a call. */
  destination(target: EgressTarget): Destination {
    try {
      const { allow } = target;
      const list = allow?.length ? new AllowList([...this.options.allow, ...allow], this.#own) : this.#operator;
      return new Destination(target, list);
    } catch (error) {
      throw scrubbed(toEgressError(error), target.secrets);
    }
  }

  async fetch(request: EgressRequest): Promise<EgressResponse> {
    return this.fetchFrom(this.destination(request), request);
  }

  async stream(request: EgressRequest): Promise<EgressStream> {
    return this.streamFrom(this.destination(request), request);
  }

  async fetchFrom(destination: Destination, call: EgressCall): Promise<EgressResponse> {
    requireNoTransaction('an outgoing call');
    const lifetime = lifetimeOf(call, destination);
    try {
      const answer = await this.#answer(destination, call, lifetime);
      const chunks = decoded(answer.reply, answer.encoding);
      const { body, truncated } = await collected(chunks, call.maxBytes ?? MAX_BYTES, answer.scrubber);
      lifetime.end();
      return new WholeAnswer(answer, body, truncated);
    } catch (error) {
      throw failureOf(error, destination, lifetime);
    }
  }

  async streamFrom(destination: Destination, call: EgressCall): Promise<EgressStream> {
    requireNoTransaction('an outgoing call');
    const lifetime = lifetimeOf(call, destination);
    try {
      const answer = await this.#answer(destination, call, lifetime);
      const chunks = decoded(answer.reply, answer.encoding);
      const body = new StreamedBody(chunks, answer.scrubber, call.maxBytes ?? MAX_BYTES, lifetime);
      return new StreamedAnswer(answer, body, lifetime);
    } catch (error) {
      throw failureOf(error, destination, lifetime);
    }
  }

  async close(): Promise<void> {
    await this.#dispatchers.close();
  }

  /** Follows redirects; the body of the response is unread. */
  async #answer(destination: Destination, { body, bodyBytes }: EgressCall, lifetime: Lifetime): Promise<Answer> {
    const { url, method, headers: given, maxRedirects, scrubber } = destination;
    const headers = bodyBytes === undefined ? given : { ...given, 'content-length': String(bodyBytes) };
    let hop: Hop = { url, method, headers, body };
    for (let left = maxRedirects; ; left -= 1) {
      const reply = await this.#send(hop, destination.allow, lifetime);
      const next = maxRedirects === 0 ? null : nextHop(hop, reply, destination);
      if (!next) {
        lifetime.answered(reply.status);
        return new Answer(reply, hop, scrubber);
      }
      if (left <= 0) throw new EgressFailed('redirects', 'there are too many redirects');
      reply.discard();
      hop = next;
    }
  }

  #send({ url, method, headers, body }: Hop, allow: AllowList, lifetime: Lifetime): Promise<WireReply> {
    const request = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as 'GET',
      headers: lifetime.span ? { ...headers, traceparent: traceparentOf(lifetime.span) } : headers,
      // undici accepts iterables, which its types lack.
      body: (body ?? null) as string | Uint8Array | null,
      // `Lifetime` applies: the timers of undici are too coarse and do not cover the total time.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    return WireReply.ask(this.#dispatchers.of(allow), request, lifetime);
  }
}

const lifetimeOf = ({ timeoutMs, idleTimeoutMs, signal }: EgressCall, destination: Destination): Lifetime =>
  new Lifetime(timeoutMs, idleTimeoutMs, signal, egressSpan(destination));

/** Also ends what still runs of the call. */
function failureOf(error: unknown, { scrubber }: Destination, lifetime: Lifetime): EgressError {
  const failure = toEgressError(lifetime.causeOf(error));
  failure.message = scrubber.text(failure.message);
  lifetime.failed(failure);
  return failure;
}

function scrubbed(error: EgressError, secrets: SecretBag | undefined): EgressError {
  if (secrets) error.message = secrets.scrub(error.message);
  return error;
}

function interfaceAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return addresses.map(({ address }) => address.replace(/%.*$/, ''));
}
