import type { Endpoint } from '@signalbox/contracts';
import type { Door, DoorReply } from '../conformance/door.js';
import type { CanarySearch } from './canary-search.js';

/** The front door with somebody who listens: every byte that comes back is searched. */
export class Ears {
  constructor(
    private readonly door: Door,
    private readonly key: string,
    private readonly search: CanarySearch,
  ) {}

  async send(
    endpoint: Endpoint,
    input: Record<string, unknown>,
    how: { open?: true; idempotencyKey?: string; traceparent?: string } = {},
  ): Promise<DoorReply> {
    const headers: [string, string][] = [];
    if (how.idempotencyKey) headers.push(['Idempotency-Key', how.idempotencyKey]);
    if (how.traceparent) headers.push(['traceparent', how.traceparent]);
    const reply = await this.door.send(endpoint, input, { ...(how.open ? {} : { key: this.key }), headers });
    const place = reply.contentType.startsWith('text/event-stream') ? 'streams' : 'replies';
    this.search.text(place, `${endpoint.contract}.${endpoint.name}`, `${reply.head}\n${reply.text}`);
    return reply;
  }

  /** What an endpoint answers, which has to be 200. */
  async get<T>(endpoint: Endpoint, input: Record<string, unknown>): Promise<T> {
    const reply = await this.send(endpoint, input);
    if (reply.status !== 200)
      throw new Error(`${endpoint.contract}.${endpoint.name} answered ${reply.status}: ${reply.text.slice(0, 300)}`);
    return (JSON.parse(reply.text) as { data: T }).data;
  }
}
