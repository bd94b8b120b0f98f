import { Agent, request } from 'node:http';
import { type Endpoint, hasBody, takesOnlyFile } from '@signalbox/contracts';

/** Longer than the platform takes to refuse a call: long ones have two minutes. */
const SILENT_MS = 150_000;

export interface RawHttpReply {
  status: number;
  text: string;
  contentType: string;
  head: string;
}

export interface RawOptions {
  /** In order; a name may come twice. */
  headers?: [string, string][];
  key?: string;
  query?: string;
}

const encodeValue = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(String).join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

export const bodyTypeOf = (endpoint: Endpoint): string =>
  takesOnlyFile(endpoint) ? 'application/jsonl' : 'application/json';

export function messageOf(
  endpoint: Endpoint,
  input: Record<string, unknown>,
): { path: string; query: string; body?: string } {
  const rest = { ...input };
  const path = (endpoint.path ?? '').replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(encodeValue(value));
  });
  if (takesOnlyFile(endpoint)) return { path, query: '', body: String(rest.content) };
  if (endpoint.bodyField) return { path, query: '', body: JSON.stringify(rest[endpoint.bodyField]) };
  if (hasBody(endpoint)) return { path, query: '', body: JSON.stringify(rest) };
  const pairs = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { path, query: pairs.map(([name, value]) => `${name}=${encodeURIComponent(encodeValue(value))}`).join('&') };
}

/** Contains none of our client code, so that a test controls every byte. */
export class RawClient {
  private readonly agent: Agent | false;

  /** `keepAlive` reuses connections, for a server that runs as long as the client. */
  constructor(
    readonly baseUrl: string,
    { keepAlive = false } = {},
  ) {
    this.agent = keepAlive && new Agent({ keepAlive });
  }

  async signIn(key: string): Promise<void> {
    const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' };
    const url = new URL('/portal/session', this.baseUrl);
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ key }) });
    if (!reply.ok) throw new Error(`the portal answered ${reply.status}: ${await reply.text()}`);
  }

  send(endpoint: Endpoint, input: Record<string, unknown>, options: RawOptions = {}): Promise<RawHttpReply> {
    const { path, query, body } = messageOf(endpoint, input);
    const wholeQuery = [query, options.query].filter(Boolean).join('&');
    const url = new URL(`${this.baseUrl}${path}${wholeQuery ? `?${wholeQuery}` : ''}`);
    const headers = [
      ['Host', url.host],
      ...(options.key === undefined ? [] : [['X-Service-Api-Key', options.key]]),
      ...(options.headers ?? []),
      ...(body === undefined
        ? []
        : [
            ['Content-Type', bodyTypeOf(endpoint)],
            ['Content-Length', String(Buffer.byteLength(body))],
          ]),
    ].flat() as string[];
    return new Promise((resolve, reject) => {
      const sent = request(
        url,
        { method: endpoint.method ?? 'GET', headers, timeout: SILENT_MS, agent: this.agent },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(parts).toString(),
              contentType: response.headers['content-type'] ?? '',
              head: response.rawHeaders.join('\n'),
            }),
          );
          response.on('error', reject);
          if (endpoint.endless && response.statusCode === 200) {
            // No event has to come: the head is the whole reply.
            const head = response.rawHeaders.join('\n');
            resolve({ status: 200, text: '', contentType: response.headers['content-type'] ?? '', head });
            sent.destroy();
          }
        },
      );
      sent.on('error', reject);
      sent.on('timeout', () =>
        sent.destroy(new Error(`${endpoint.method} ${path} did not answer within ${SILENT_MS / 1000} s`)),
      );
      sent.end(body);
    });
  }
}
