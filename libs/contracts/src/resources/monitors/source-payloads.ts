import { defineContract } from '../../contract.js';
import { Count, Epoch, field, Id, List, ListOf, Nested, Nullable, Str } from '../../fields/fields.js';
import { objType, patternType } from '../../fields/field-types.js';

/** What monitors judge: recorded requests, top-level runs of workflows, top-level tasks of agents. */
export const SOURCE_TYPES = ['request', 'workflow_run', 'agent_task'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** Ids of all kinds of sources are UUIDs. */
export const sourceIdType = patternType(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/, 'a lower-case UUID', 'uuid');

/** Sources of one call. */
export const MAX_READ_SOURCES = 200;

class SourceIds {
  @List(sourceIdType, 1, MAX_READ_SOURCES) source_ids!: string[];
}
class SourcesOfTarget {
  @Id() target_id!: number;
}
/** A production source as monitors receive it. */
export class SourcePayload {
  @Str(1, 128) source_id!: string;
  /** Shape by kind of source, docs/api/monitors.md. */
  @field(objType({ maxBytes: 33_554_432, maxDepth: 80 })) payload!: Record<string, unknown>;
  @Epoch() sampled_at!: number;
}
/** The payloads of the first sources that fit into one reply; unknown, deleted and too large sources have none. */
export class SourcePayloads {
  @ListOf(() => SourcePayload) payloads!: SourcePayload[];
  /** How many of the ids were read; the caller asks again for the rest. */
  @Count() read!: number;
}
/** The newest production source of a target, null before the first. */
export class NewestSource {
  @Nested(() => SourcePayload) @Nullable() source!: SourcePayload | null;
}

/** Bytes of payloads in one reply, beyond its first one. */
export const PAYLOAD_REPLY_BYTES = 4_194_304;

/** The largest source that is read: with those before it, it fits into a message of the bus. */
export const MAX_PAYLOAD_BYTES = 12_000_000;

/** Internal: the production sources of one service as monitors judge them. */
export const sourcePayloadsOf = (service: string) =>
  defineContract(
    { name: `source-payloads-${service}`, service, tag: 'Internal' },
    {
      readSourcePayloads: {
        summary: 'Read the payloads of sources, as many as fit into one reply',
        input: SourceIds,
        output: SourcePayloads,
      },
      findNewestSource: {
        summary: 'Find the newest production source of a target',
        input: SourcesOfTarget,
        output: NewestSource,
      },
    },
  );

/** Recorded requests as monitors judge them; their target is an intent. */
export const requestPayloads = sourcePayloadsOf('traffic');
/** Tasks as monitors judge them; their target is an agent. */
export const taskPayloads = sourcePayloadsOf('agents');
/** Runs of workflows as monitors judge them; their target is a workflow. */
export const runPayloads = sourcePayloadsOf('workflows');
