import { defineContract } from '../../contract.js';
import { stringType } from '../../fields/field-types.js';
import {
  Count,
  field,
  Id,
  join,
  Json,
  List,
  Nested,
  Nullable,
  OneOf,
  Optional,
  SemVer,
  Slug,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { ERROR_CODES, type ErrorCode, FAILURE_CLASSES, type FailureClass, Message, Usage } from '../../shapes.js';
import { versionWord } from '../../versions/versions.js';
import { tasks } from './tasks/agent-tasks.js';
import { TASK_STATES, type TaskStatus } from './tasks/task-states.js';

class AgentTarget {
  @Id() agent_id!: number;
  @field(versionWord) @Optional() version?: string;
  @Slug() @Optional() release?: string;
}
/** The version that a target names now, and the secrets that its tasks need. */
export class TestedAgent {
  @SemVer() @Nullable() version!: string | null;
  @List(stringType(1, 64), 0, 10_000) secrets!: string[];
}

class TestedTask {
  @Uuid() task_id!: string;
}
/** The end of a task of a test run. */
export class TestedTaskEnd extends TestedTask {
  @OneOf(TASK_STATES) status!: TaskStatus;
  @Nested(() => Message) @Nullable() output!: Message | null;
  @Json() @Nullable() structured_output!: unknown;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @OneOf(ERROR_CODES) @Nullable() error_code!: ErrorCode | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @Nested(() => Usage) @Nullable() @Optional() usage?: Usage | null;
  @Count() @Nullable() @Optional() duration_ms?: number | null;
}

/** Internal: agents as consumers of test runs. */
export const agentTests = defineContract(
  { name: 'agent-tests', service: 'agents', tag: 'Internal' },
  {
    describeTarget: {
      summary: 'Get the version and the required secrets of an agent',
      input: AgentTarget,
      output: TestedAgent,
    },
    runTest: {
      summary: 'Run an agent under the id of a task and wait for its end; a repeated call waits for the same task',
      input: join(TestedTask, tasks.endpoints.invokeAgent.input),
      output: TestedTaskEnd,
      http: { body: 'large' },
      delivery: { slow: true, resumable: true },
      placement: { onWorkers: true },
    },
  },
);
