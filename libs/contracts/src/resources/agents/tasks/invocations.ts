import { AtMostOne, Checked } from '../../../fields/checks.js';
import {
  Count,
  Default,
  Epoch,
  field,
  Flag,
  Int,
  Json,
  ListOf,
  Matching,
  Nested,
  Nullable,
  Num,
  Obj,
  OneOf,
  Optional,
  Slug,
  Str,
  Uuid,
} from '../../../fields/fields.js';
import { Message, ResponseFormat, Secrets, Usage } from '../../../shapes.js';
import type { Detail } from '../../../errors.js';
import { versionWord } from '../../../versions/versions.js';
import { messageProblem } from '../../chat/completion-parameters.js';
import { AgentPath } from '../agent-path.js';
import { TASK_STATES, type TaskStatus } from './task-states.js';

const SESSION_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Models refuse such a message. */
function messagesProblem({ messages = [] }: InvokeAgent): Detail | undefined {
  for (const [at, message] of messages.entries()) {
    const problem = messageProblem(message);
    if (problem) return { ...problem, field: `messages[${at}].${problem.field}` };
  }
  return undefined;
}

@AtMostOne('version', 'release')
@Checked(messagesProblem)
@Checked<InvokeAgent>(({ message, messages, wait, stream: streamed }) =>
  message === undefined && messages === undefined
    ? { field: 'message', message: 'is required when messages is absent' }
    : streamed && !wait
      ? { field: 'stream', message: 'cannot be combined with wait: false' }
      : undefined,
)
export class InvokeAgent extends AgentPath {
  @Str(0, 1_000_000) @Optional() message?: string;
  @ListOf(() => Message, 1, 1000) @Optional() messages?: Message[];
  @field(versionWord) @Optional() version?: string;
  @Slug() @Optional() release?: string;
  @Matching(SESSION_ID, '1 to 128 of A-Z, a-z, 0-9, ".", "_", ":" and "-"') @Optional() session_id?: string;
  @Int(1, 100) @Optional() max_iterations?: number;
  @Secrets() @Default(() => ({})) secrets!: Record<string, string>;
  @Flag() @Default(true) wait!: boolean;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
  @Flag() @Default(false) stream!: boolean;
  @Obj() @Default(() => ({})) state!: Record<string, unknown>;
  @Obj() @Default(() => ({})) metadata!: Record<string, unknown>;
  @Num(0, 10_000) @Nullable() @Optional() max_cost?: number | null;
}

class Choice {
  @Count() index!: number;
  @Nested(() => Message) message!: Message;
  @Str() finish_reason!: string;
}
/** The answer of an agent in the OpenAI shape, or the ids of a task that continues. */
export class Invocation {
  @Str() @Optional() id?: string;
  @Uuid() task_id!: string;
  @Str() session_id!: string;
  @OneOf(TASK_STATES) @Optional() status?: TaskStatus;
  @Epoch() @Optional() hook_expires_at?: number;
  @Str() @Optional() object?: string;
  @Count() @Optional() created?: number;
  @Str() @Optional() model?: string;
  @ListOf(() => Choice) @Optional() choices?: Choice[];
  @Nested(() => Usage) @Optional() usage?: Usage;
  @Json() @Nullable() @Optional() structured_output?: unknown;
}
