import { defineContract } from '../../contract.js';
import {
  Count,
  Description,
  Epoch,
  Flag,
  Id,
  Int,
  Json,
  ListOf,
  Matching,
  Name,
  Nested,
  Nullable,
  Num,
  OneOf,
  SemVer,
  Slug,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { ERROR_CODES, type ErrorCode, FAILURE_CLASSES, type FailureClass, Usage } from '../../shapes.js';

/** The most bytes of messages, of an output and of the data of an event of an external task. */
const MAX_JSON = 2_097_152;

export class ExternalEvent {
  @Str(1, 50) type!: string;
  @Epoch() at!: number;
  @Json(MAX_JSON) data!: Record<string, unknown>;
}

/** An evaluation of an external task, which becomes the feedback on its session. */
export class ExternalFeedback {
  @Num(1, 5) @Nullable() score!: number | null;
  @Str(0, 4000) @Nullable() text!: string | null;
}

/** A task that ran outside of the platform, as far as its spans have arrived. */
export class ExternalTask {
  @Uuid() id!: string;
  @Uuid() @Nullable() parent_task_id!: string | null;
  @Name() agent_name!: string;
  @SemVer() @Nullable() version!: string | null;
  @Str(0, 200)
  @Nullable()
  @Description('The version as it was reported when it is no semantic version')
  reported_version!: string | null;
  @Slug() @Nullable() release!: string | null;
  @Str(1, 128) session_id!: string;
  @Json(MAX_JSON) input_messages!: Record<string, unknown>[];
  @Json(MAX_JSON) @Nullable() output!: Record<string, unknown> | null;
  @Str(0, 200) @Nullable() model!: string | null;
  @Count() iterations!: number;
  @Nested(() => Usage) usage!: Usage;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @Epoch() started_at!: number;
  @Epoch() ended_at!: number;
  @Json(MAX_JSON) metadata!: Record<string, unknown>;
  @ListOf(() => ExternalEvent, 0, 20_000) timeline!: ExternalEvent[];
  @Nested(() => ExternalFeedback) @Nullable() feedback!: ExternalFeedback | null;
}

class ExternalApplication {
  @Id() id!: number;
  @Name() application_name!: string;
  @Epoch() date_updated!: number;
}

export class ExternalTrace {
  @Nested(() => ExternalApplication) application!: ExternalApplication;
  @Flag() @Description('Nothing more is expected of the trace') is_closed!: boolean;
  @Flag() @Description('A test run has caused the trace') is_test!: boolean;
  /** A parent stands before its children. */
  @ListOf(() => ExternalTask, 0, 2000) tasks!: ExternalTask[];
}

export class StoredExternalTask {
  @Uuid() id!: string;
  @Id() agent_id!: number;
}

export class StoredExternalTrace {
  @ListOf(() => StoredExternalTask, 0, 2000) tasks!: StoredExternalTask[];
}

/** The most traces that are stored together. */
export const MAX_TRACES_AT_ONCE = 50;

/** Traces that are stored together: all of them or none. */
export class ExternalTraces {
  @ListOf(() => ExternalTrace, 1, MAX_TRACES_AT_ONCE) traces!: ExternalTrace[];
}

export class StoredExternalTraces {
  @ListOf(() => StoredExternalTask, 0, 2000 * MAX_TRACES_AT_ONCE) tasks!: StoredExternalTask[];
}

/** A call of a program that runs elsewhere. */
export class ExternalCall {
  @Str(1, 2048) url!: string;
  @Str(1, 10) method!: string;
  @Json(262_144) headers!: Record<string, string>;
  @Str(0, 4_000_000) @Nullable() body!: string | null;
  @Json(1_048_576) secrets!: Record<string, string>;
  /** The same for every try of one execution of an item. */
  @Matching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/, 'a traceparent') traceparent!: string;
  @Int(100, 300_000) timeout_ms!: number;
}

/** How a call of a program has ended: with an answer, or without one. */
export class ExternalAnswer {
  @Count() @Nullable() status!: number | null;
  @Str(0, 4_000_000) body!: string;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @OneOf(ERROR_CODES) @Nullable() error_code!: ErrorCode | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
}

/** Internal: tasks of agents that run elsewhere. */
export const externalTasks = defineContract(
  { name: 'external-tasks', service: 'agents', tag: 'Internal' },
  {
    recordTraces: {
      summary:
        'Store the tasks of traces as they are known now, with their agents and versions; repeats change nothing',
      input: ExternalTraces,
      output: StoredExternalTraces,
    },
    // For processes of the release before, which send their traces one by one.
    recordTrace: {
      summary: 'Store the tasks of one trace',
      input: ExternalTrace,
      output: StoredExternalTrace,
    },
    callProgram: {
      summary: 'Call a program that runs elsewhere for an item of a test run',
      input: ExternalCall,
      output: ExternalAnswer,
      http: { body: 'large' },
      delivery: { slow: true, abandonable: true, onceBy: 'traceparent' },
      placement: { onWorkers: true },
    },
  },
);
