import { Checked } from '../../../fields/checks.js';
import { jsonType } from '../../../fields/field-types.js';
import {
  Epoch,
  field,
  Id,
  Int,
  Json,
  ListOf,
  Nested,
  Nullable,
  Num,
  Optional,
  Str,
  Text,
} from '../../../fields/fields.js';
import { Message } from '../../../shapes.js';

/** What a test run drives: a model, a workflow or an agent. */
export const CONSUMER_KINDS = ['MODEL', 'WORKFLOW', 'AGENT', 'EXTERNAL'] as const;
export type ConsumerKind = (typeof CONSUMER_KINDS)[number];

/** The largest expected output in bytes of JSON. */
export const EXPECTED_BYTES = 1_048_576;
/** The largest input of an item in bytes of JSON; with everything else of the item it fits into one reply. */
export const INPUT_BYTES = 8_388_608;

const MAX_SEED = Number.MAX_SAFE_INTEGER;

const has = (value: object, name: string): boolean => (value as Record<string, unknown>)[name] !== undefined;

/** An expected output: exactly one of its fields. */
@Checked<Expected>((expected) => {
  const given = ['text', 'json', 'message'].filter((name) => has(expected, name));
  return given.length === 1
    ? undefined
    : { field: given[1] ?? 'text', message: 'must be the only one of text, json and message' };
})
export class Expected {
  @Text(1_000_000) @Optional() text?: string;
  @field(jsonType({ maxBytes: EXPECTED_BYTES, maxDepth: 60 })) @Nullable() @Optional() json?: unknown;
  @Nested(() => Message) @Optional() message?: Message;
}

/** The parameters of the request that an item was imported from; a run against a model sends them. */
export class InputParams {
  @field(jsonType({ maxBytes: EXPECTED_BYTES, maxDepth: 60 })) @Nullable() @Optional() tools?: unknown;
  @Json() @Nullable() @Optional() tool_choice?: unknown;
  @Num(0, 1) @Nullable() @Optional() top_p?: number | null;
  @Int(-MAX_SEED, MAX_SEED) @Nullable() @Optional() seed?: number | null;
  @Str(1, 32) @Nullable() @Optional() reasoning_effort?: string | null;
}

/** The canonical input of an item; at least one of its fields. */
@Checked<TestInput>((input) =>
  input.messages?.length || has(input, 'input')
    ? undefined
    : { field: 'messages', message: 'is required when there is no input' },
)
export class TestInput {
  @ListOf(() => Message, 0, 1000) @Nullable() @Optional() messages?: Message[] | null;
  @field(jsonType({ maxBytes: INPUT_BYTES, maxDepth: 60 })) @Nullable() @Optional() input?: unknown;
  @Nested(() => InputParams) @Nullable() @Optional() params?: InputParams | null;
}

/** The override of an item's expected output; a replaced one keeps its row under its id. */
export class ResponseSub {
  @Id() id!: number;
  @Nested(() => Expected) expected_output!: Expected;
  @Str(0, 2000) @Nullable() note!: string | null;
  @Id() @Nullable() author_key_id!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}
