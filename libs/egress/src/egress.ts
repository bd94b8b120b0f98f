import { networkInterfaces } from 'node:os';
import type { Dispatcher } from 'undici';
import { AllowList } from './allow-list.js';
import { collected, limited, timed } from './body.js';
import { decoded } from './decoding.js';
import { Dispatchers, systemResolver } from './dispatchers.js';
import type { EgressOptions, EgressRequest, EgressResponse, EgressStream } from './egress-request.js';
import { EgressFailed, toEgressError, type EgressError } from './errors.js';
import { Lifetime } from './lifetime.js';
import { nextHop, type Hop } from './redirect.js';
import { renderHeaders, type RenderedHeaders } from './request-headers.js';
import { responseHeaders } from './response-headers.js';
import { Scrubber } from './scrubber.js';
import type { SecretBag } from './secret-bag.js';
import { checkTarget } from './target.js';

interface Answer {
  status: number;
  headers: Record<string, string>;
  url: string;
  chunks: AsyncIterable<Buffer>;
  scrubber: Scrubber;
  lifetime: Lifetime;
}

const MAX_BYTES = 5_000_000;
const MAX_REDIRECTS = 3;
const NOTHING_SECRET = new Scrubber([]);

/** The only HTTP client of the platform: every target, address and redirect is checked, every size and time bounded. */
export class Egress {
  readonly #dispatchers: Dispatchers;
  readonly #operator: AllowList;
  readonly #own: string[];

  constructor(private readonly options: EgressOptions) {
    this.#own = options.ownAddresses ?? interfaceAddresses();
    this.#operator = new AllowList(options.allow, this.#own);
    this.#dispatchers = new Dispatchers(options.lookup ?? systemResolver, options.connectTimeoutMs ?? 10_000);
  }

  /** Calls and reads the whole answer. */
  async fetch(request: EgressRequest): Promise<EgressResponse> {
    const { status, headers, url, chunks, scrubber, lifetime } = await this.#open(request);
    try {
      const { body, truncated } = await collected(chunks, request.maxBytes ?? MAX_BYTES, scrubber);
      return { status, headers, url, body, truncated };
    } catch (error) {
      throw toEgressError(lifetime.causeOf(error));
    } finally {
      lifetime.end();
    }
  }

  /** Calls and gives the answer as soon as its headers are there. */
  async stream(request: EgressRequest): Promise<EgressStream> {
    const { status, headers, url, chunks, scrubber, lifetime } = await this.#open(request);
    const body = streamed(limited(chunks, request.maxBytes ?? MAX_BYTES), scrubber, lifetime);
    return { status, headers, url, body, close: () => lifetime.abandon() };
  }

  /** Ends every connection, calls in flight included. */
  async close(): Promise<void> {
    await this.#dispatchers.close();
  }

  async #open(request: EgressRequest): Promise<Answer> {
    const lifetime = new Lifetime(request.timeoutMs, request.idleTimeoutMs ?? request.timeoutMs, request.signal);
    try {
      return await this.#follow(request, lifetime);
    } catch (error) {
      lifetime.end();
      throw scrubbed(toEgressError(lifetime.causeOf(error)), request.secrets);
    }
  }

  async #follow(request: EgressRequest, lifetime: Lifetime): Promise<Answer> {
    const allow = request.allow?.length
      ? new AllowList([...this.options.allow, ...request.allow], this.#own)
      : this.#operator;
    const url = checkTarget(request.url, allow);
    const rendered = renderHeaders(request.headers ?? {}, request.basicAuth, request.secrets);
    const scrubber = scrubberOf(request.secrets, rendered);
    let hop: Hop = { url, method: request.method.toUpperCase(), headers: rendered.headers, body: request.body };
    for (let left = request.maxRedirects ?? MAX_REDIRECTS; ; left -= 1) {
      const reply = await this.#send(hop, allow, lifetime);
      const headers = responseHeaders(reply.headers);
      const next = request.maxRedirects === 0 ? null : followed(hop, reply, headers, rendered, allow);
      if (!next) return answerOf(hop, reply, headers, scrubber, lifetime);
      if (left <= 0) throw new EgressFailed('redirects', 'there are too many redirects');
      hop = next;
    }
  }

  async #send(hop: Hop, allow: AllowList, lifetime: Lifetime): Promise<Dispatcher.ResponseData> {
    const reply = await this.#dispatchers.of(allow).request({
      origin: hop.url.origin,
      path: hop.url.pathname + hop.url.search,
      method: hop.method as Dispatcher.HttpMethod,
      headers: hop.headers,
      body: hop.body ?? null,
      signal: lifetime.signal,
      // Our own clocks decide; the client's are too coarse and know nothing of the total.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // An abort destroys the body at any moment; without a listener that would end the process.
    reply.body.on('error', () => undefined);
    return reply;
  }
}

function followed(
  hop: Hop,
  reply: Dispatcher.ResponseData,
  headers: Record<string, string>,
  rendered: RenderedHeaders,
  allow: AllowList,
): Hop | null {
  try {
    const next = nextHop(hop, reply.statusCode, headers['location'], rendered.sensitive, allow);
    if (next) reply.body.dump({ limit: 64 * 1024 }).catch(() => undefined);
    return next;
  } catch (error) {
    reply.body.destroy();
    throw error;
  }
}

function answerOf(
  hop: Hop,
  reply: Dispatcher.ResponseData,
  headers: Record<string, string>,
  scrubber: Scrubber,
  lifetime: Lifetime,
): Answer {
  const bare = hop.method === 'HEAD' || reply.statusCode === 204 || reply.statusCode === 304;
  const clean = Object.entries(headers).map(([name, value]) => [name, scrubber.text(value)] as const);
  return {
    status: reply.statusCode,
    headers: Object.fromEntries(clean),
    url: scrubber.text(hop.url.href),
    chunks: decoded(timed(reply.body, lifetime), bare ? undefined : headers['content-encoding']),
    scrubber,
    lifetime,
  };
}

async function* streamed(chunks: AsyncIterable<Buffer>, scrubber: Scrubber, lifetime: Lifetime) {
  try {
    yield* scrubber.stream(chunks);
  } catch (error) {
    throw toEgressError(lifetime.causeOf(error));
  } finally {
    lifetime.end();
  }
}

function scrubberOf(secrets: SecretBag | undefined, { values }: RenderedHeaders): Scrubber {
  if (secrets) return secrets.scrubber(values);
  return values.length > 0 ? new Scrubber(values) : NOTHING_SECRET;
}

function scrubbed(error: EgressError, secrets: SecretBag | undefined): EgressError {
  if (secrets) error.message = secrets.scrub(error.message);
  return error;
}

function interfaceAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return addresses.map(({ address }) => address.replace(/%.*$/, ''));
}
