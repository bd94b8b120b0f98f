import { defineContract } from '../../contract.js';
import { stream } from '../../contract/outputs.js';
import { stringType } from '../../fields/field-types.js';
import { Epoch, Id, Int, Json, List, Nested, Optional, Str, Uuid } from '../../fields/fields.js';
import { StreamFrame } from '../../shapes.js';

class FollowEvents {
  /** Exact names, `family.*` or `*`; all by default. */
  @List(stringType(1, 100), 1, 50) @Optional() events?: string[];
  /** The id of the last received event; 0 replays the last 24 hours; without it only new events are sent. */
  @Int(0, Number.MAX_SAFE_INTEGER) @Optional() last_event_id?: number;
}

class EventResource {
  @Str() type!: string;
  @Json() id!: number | string;
}

/** A lifecycle event as a frame of the stream: the envelope of webhooks, with its place in the stream. */
export class StreamedEvent extends StreamFrame {
  @Uuid() event_id!: string;
  @Str() event!: string;
  @Id() company_id!: number;
  @Epoch() occurred_at!: number;
  @Nested(() => EventResource) resource!: EventResource;
  @Json() data!: unknown;
}

/** The lifecycle events of the company as a stream (docs/api/README.md). */
export const eventFeed = defineContract(
  { name: 'event-feed', service: 'accounts', tag: 'Webhooks' },
  {
    streamEvents: {
      get: '/events',
      summary: 'Follow the events of the company as server-sent events; the last 24 hours can be replayed',
      input: FollowEvents,
      output: stream(StreamedEvent),
      reply: { kind: 'endless' },
    },
  },
);
