import type { PublicRoute, RouteInput, RouteReply } from '@signalbox/contracts';
import { Egress } from '@signalbox/egress';

/** An error reply of the platform. */
export class ApiRefusal extends Error {
  override name = 'ApiRefusal';
  constructor(
    readonly status: number,
    what: string,
    message: string,
  ) {
    super(`${what} answered ${status}: ${message}`);
  }
}

interface Envelope {
  data?: unknown;
  error?: { message: string; details?: { field: string; message: string }[] };
}

const TIMEOUT_MS = 150_000;

function placeOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

function parsed(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return {};
  }
}

function messageOf({ error }: Envelope): string {
  const details = (error?.details ?? []).map(({ field, message }) => `${field} ${message}`);
  return [error?.message ?? 'no reason given', ...details].join('; ');
}

/** The platform as every client sees it: REST with an API key. */
export class PublicApi {
  private readonly egress: Egress;

  constructor(
    readonly baseUrl: string,
    private readonly key: string,
    private readonly stop: AbortSignal,
  ) {
    // The platform may run on this machine, so its own address is allowed.
    this.egress = new Egress({ allow: [placeOf(baseUrl)], ownAddresses: [] });
  }

  /** Calls an endpoint by its route; input and reply have the types that the endpoint declares. */
  async call<R extends PublicRoute>(route: R, input: RouteInput<R>): Promise<RouteReply<R>> {
    const [method = '', pattern = ''] = route.split(' ');
    const rest = new Map(Object.entries(input));
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest.get(name));
      rest.delete(name);
      return encodeURIComponent(value);
    });
    if (method !== 'GET' && method !== 'DELETE')
      return (await this.send(method, path, Object.fromEntries(rest))) as RouteReply<R>;
    const query = new URLSearchParams([...rest].map(([name, value]): [string, string] => [name, String(value)]));
    return (await this.send(method, query.size > 0 ? `${path}?${query}` : path)) as RouteReply<R>;
  }

  /** Calls a callback URL; the URL itself is the credential. */
  async callBack(address: string, payload: object): Promise<void> {
    const { pathname } = new URL(address);
    const base = new URL(this.baseUrl).pathname;
    await this.send('POST', pathname.startsWith(base) ? pathname.slice(base.length) : pathname, payload);
  }

  /** The events of a stream as they arrive, each by its name. */
  async *events(path: string): AsyncGenerator<string> {
    const { body } = await this.egress.stream({
      method: 'GET',
      url: `${this.baseUrl}${path}`,
      headers: { 'x-service-api-key': this.key },
      timeoutMs: TIMEOUT_MS,
      signal: this.stop,
    });
    let text = '';
    for await (const chunk of body) {
      const lines = (text + chunk.toString()).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('event:')) yield line.slice('event:'.length).trim();
    }
  }

  close(): Promise<void> {
    return this.egress.close();
  }

  private async send(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.egress.fetch({
      method,
      url: `${this.baseUrl}${path}`,
      headers: { 'x-service-api-key': this.key, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
      signal: this.stop,
    });
    const envelope = parsed(response.body.toString());
    if (response.status !== 200) throw new ApiRefusal(response.status, `${method} ${path}`, messageOf(envelope));
    return envelope.data;
  }
}
