import {
  ApiError,
  conflict,
  type Expected,
  type FlattenVariant,
  type Message,
  parse,
  recordedAnswer,
  recordedMessage,
  recordedMessages,
  type RecordedRequest,
  type Task,
  TestInput,
  type WorkflowRun,
  Expected as ExpectedShape,
} from '@signalbox/contracts';
import { bodyBytes } from '../items/index.js';

export interface ImportedContent {
  input: TestInput;
  expected_output: Expected;
  intent_group_id?: number | null;
}

type Json = Record<string, unknown>;

/** 409 for what an item cannot hold. */
function content(what: string, input: Json, expected: Json): ImportedContent {
  try {
    const parsed = { input: parse(TestInput, input), expected_output: parse(ExpectedShape, expected) };
    bodyBytes(parsed.input, parsed.expected_output);
    return parsed;
  } catch (error) {
    throw error instanceof ApiError ? conflict(`${what} cannot become a test item: ${error.message}`) : error;
  }
}

/** Only parameters that do not depend on the model; null without any. */
function paramsOf({ tools, tool_choice, top_p, seed, reasoning_effort }: Json): Json | null {
  const params = {
    ...(Array.isArray(tools) && tools.length > 0 ? { tools } : {}),
    ...(tool_choice == null ? {} : { tool_choice }),
    ...(typeof top_p === 'number' ? { top_p } : {}),
    ...(Number.isSafeInteger(seed) ? { seed } : {}),
    ...(typeof reasoning_effort === 'string' ? { reasoning_effort } : {}),
  };
  return Object.keys(params).length > 0 ? params : null;
}

export function contentOfRequest(request: RecordedRequest, useCorrection: boolean): ImportedContent {
  const answer = recordedAnswer(request, useCorrection);
  if (request.params === undefined || answer === undefined)
    throw conflict(`request ${request.request_id} has no response`);
  const params = paramsOf(request.params);
  const input = { messages: recordedMessages(request.params.messages), ...(params ? { params } : {}) };
  const imported = content(`request ${request.request_id}`, input, { message: answer.message });
  return { ...imported, intent_group_id: request.intent_group_id };
}

/** 409 for a run that is not completed. */
export function contentOfRun(run: WorkflowRun): ImportedContent {
  if (run.status !== 'COMPLETED') throw conflict(`run ${run.id} is ${run.status}, not COMPLETED`);
  const input = {
    ...(run.messages?.length ? { messages: run.messages.map(recordedMessage) } : {}),
    // A run with messages may have no input; null counts as an input only when there is nothing else.
    ...(run.input != null || !run.messages?.length ? { input: run.input ?? null } : {}),
  };
  return content(`run ${run.id}`, input, { json: run.output ?? null });
}

function textOf(message: Message | null): string {
  const { content = null } = message ?? {};
  if (content === null || typeof content === 'string') return content ?? '';
  return content.map(({ text }) => text ?? '').join('');
}

export function requireImportable(task: Pick<Task, 'id' | 'status' | 'parent_task_id'>): void {
  if (task.parent_task_id !== null) throw conflict(`task ${task.id} is a sub-task of task ${task.parent_task_id}`);
  if (task.status !== 'COMPLETED') throw conflict(`task ${task.id} is ${task.status}, not COMPLETED`);
}

/** The second variant puts the system prompt before the first user message. */
export function contentOfTask(task: Task, variant: FlattenVariant, systemPrompt: string | null): ImportedContent {
  requireImportable(task);
  const question = task.input_messages.find(({ role }) => role === 'user');
  if (!question) throw conflict(`task ${task.id} has no user message`);
  const before = variant === 'agent_first_user_message_with_system_prompt' && systemPrompt;
  const messages = [...(before ? [{ role: 'system', content: before }] : []), recordedMessage(question)];
  const answer =
    task.structured_output === null || task.structured_output === undefined
      ? { text: textOf(task.output) }
      : { json: task.structured_output };
  return content(`task ${task.id}`, { messages }, answer);
}
