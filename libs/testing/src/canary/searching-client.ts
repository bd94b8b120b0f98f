import type { Endpoint } from '@signalbox/contracts';
import type { RawClient, RawHttpReply } from '../conformance/raw-client.js';
import type { CanarySearch } from './families/canary-search.js';

export class SearchingClient {
  constructor(
    private readonly rawClient: RawClient,
    private readonly key: string,
    private readonly search: CanarySearch,
  ) {}

  async send(
    endpoint: Endpoint,
    input: Record<string, unknown>,
    how: { open?: true; idempotencyKey?: string; traceparent?: string } = {},
  ): Promise<RawHttpReply> {
    const headers: [string, string][] = [];
    if (how.idempotencyKey) headers.push(['Idempotency-Key', how.idempotencyKey]);
    if (how.traceparent) headers.push(['traceparent', how.traceparent]);
    const reply = await this.rawClient.send(endpoint, input, { ...(how.open ? {} : { key: this.key }), headers });
    const place = reply.contentType.startsWith('text/event-stream') ? 'streams' : 'replies';
    this.search.text(place, `${endpoint.contract}.${endpoint.name}`, `${reply.head}\n${reply.text}`);
    return reply;
  }

  async get<T>(endpoint: Endpoint, input: Record<string, unknown>): Promise<T> {
    const reply = await this.send(endpoint, input);
    if (reply.status !== 200)
      throw new Error(`${endpoint.contract}.${endpoint.name} answered ${reply.status}: ${reply.text.slice(0, 300)}`);
    return (JSON.parse(reply.text) as { data: T }).data;
  }
}
