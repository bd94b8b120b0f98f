import { Injectable } from '@nestjs/common';
import { SchemaChecker, TOO_COSTLY } from '@signalbox/conditions';
import type { ChatCall, ChatResult } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import { readableState, type StateOwners, writableFields } from '../execution/session-state.js';
import { ActionRunner, readArguments } from '../../actions/index.js';
import { stripUnstorable } from '@signalbox/runs';
import type { ActionStep, LoopState, ModelStep } from '../model/conversation.js';
import { readAnswer } from '../model/final-answer.js';
import { type AnswerStream, type DeliveredText, ModelCalls, ofTask } from '../../models/index.js';
import { type AskModel, type Complete, fail, type Fail, type RunAction } from './next.js';
import type { RunningTask } from '../execution/running-task.js';
import type { Outcome, StepRecord } from '../execution/task-outcome.js';
import { chainOf } from '../execution/task-chain.js';

/** The state of a task's loop, as the pure rules read it. */
export const loopStateOf = (task: RunningTask): LoopState => ({
  agent: task.snapshot,
  history: task.history,
  input: task.input_messages,
  responseFormat: task.response_format,
  maxIterations: task.max_iterations,
  maxCost: task.max_cost,
  ...routeOf(task),
  state: readableState(stateOf(task)),
  fields: writableFields(stateOf(task)),
});

/** The session states that a task can read and write. */
export const stateOf = (task: RunningTask): StateOwners => ({
  form_fields: task.snapshot.form_fields ?? [],
  state: task.state,
  parent: task.parent,
});

/** Null while the routing is undecided; absent for an agent without rules whose default route is the loop. */
function routeOf({ routing, snapshot }: RunningTask): Pick<LoopState, 'route'> {
  if (routing) return { route: routing.route };
  const ruled = snapshot.routing_rules?.some(({ enabled }) => enabled) || snapshot.routing?.default.type !== 'llm';
  return snapshot.routing && (snapshot.execution_mode === 'route' || ruled) ? { route: null } : {};
}

const numberIn = (config: Record<string, unknown>, name: string): number | undefined =>
  typeof config[name] === 'number' ? config[name] : undefined;

/** Executes the steps of a task: model calls and actions. Results contain no secrets and can be stored. */
@Injectable()
export class TaskSteps {
  constructor(
    private readonly models: ModelCalls,
    private readonly runner: ActionRunner,
    private readonly schemas: SchemaChecker,
  ) {}

  /** Calls the model; its answer is streamed to `stream` while the model generates it. */
  async ask(
    task: RunningTask,
    next: AskModel,
    secrets: SecretBag | undefined,
    signal: AbortSignal,
    stream: AnswerStream,
  ): Promise<StepRecord> {
    const began = Date.now();
    const call = chatCall(task, next, secrets);
    const answer = stream.isEnabled
      ? await this.models.stream(task.companyId, call, { stream, secrets }, signal)
      : await this.models.complete(task.companyId, call, signal);
    const message = stripUnstorable(answer.message, secrets);
    const problem = message.tool_calls?.length ? null : await this.problemOf(task, message);
    const step: ModelStep = {
      kind: 'model',
      step_no: next.step_no,
      message,
      model: answer.model,
      usage: answer.usage,
      problem,
      ...(problem === TOO_COSTLY ? { unrepairable: true } : {}),
    };
    const request = requestOf(next, answer);
    return { step, request, duration_ms: Date.now() - began, made: null, delivered: await stream.end() };
  }

  /** The outcome of an end; an answer that was not validated as a model's answer has to fit the response format too. */
  async outcomeOf(end: Complete | Fail, task: RunningTask, delivered?: DeliveredText): Promise<Outcome> {
    if (end.kind === 'fail') {
      const { failure_class, error_code, message } = end;
      return { status: 'FAILED', failure_class, error_code, error_message: message };
    }
    const problem = end.unchecked ? await this.problemOf(task, end.message) : null;
    if (problem !== null)
      return this.outcomeOf(fail('output_schema', `the answer does not fit the response format: ${problem}`), task);
    const answer = readAnswer(end.message, task.response_format);
    const [content, value] = 'problem' in answer ? ['', null] : [answer.content, answer.value];
    return {
      status: 'COMPLETED',
      output: { role: 'assistant', content },
      structured_output: value,
      model: end.model,
      step: task.steps.at(-1)?.step_no ?? 1,
      ...(delivered ? { delivered } : {}),
    };
  }

  private async problemOf({ companyId, response_format: format }: RunningTask, message: ModelStep['message']) {
    const answer = readAnswer(message, format);
    if ('problem' in answer) return answer.problem;
    const schema = format?.type === 'json_schema' ? format.json_schema?.schema : undefined;
    return schema ? this.schemas.problemOf(companyId, schema, answer.value) : null;
  }

  /** Runs an action in the foreground, or returns a pending step for an action in the background. */
  async act(
    task: RunningTask,
    next: RunAction,
    secrets: SecretBag | undefined,
    signal: AbortSignal,
  ): Promise<StepRecord> {
    const background = next.chosen?.action.invocation_mode === 'background' && next.refusal === undefined;
    const { step, duration_ms } = background ? pending(next) : await this.run(task, next, secrets, signal);
    return { step, request: stripUnstorable(callOf(next), secrets), duration_ms, made: next };
  }

  /** Runs an action and waits for its result. */
  async run(
    task: RunningTask,
    next: RunAction,
    secrets: SecretBag | undefined,
    signal: AbortSignal,
    callbackUrl?: string,
  ): Promise<{ step: ActionStep; duration_ms: number }> {
    const { chosen, refusal, call, step_no } = next;
    const given = chosen ? readArguments(chosen.action, call.function.arguments) : '';
    const problem = refusal ?? (typeof given === 'string' ? given : undefined);
    if (!chosen || problem !== undefined || typeof given === 'string')
      return {
        step: { ...blank(next), status: 'ERROR', error_message: problem ?? '', failure_class: 'quality' },
        duration_ms: 0,
      };
    const outcome = await this.runner.run({
      companyId: task.companyId,
      action: chosen.action,
      arguments: given,
      secrets,
      base_url: task.snapshot.base_url,
      taskId: task.id,
      step: step_no,
      signal,
      chain: chainOf(task, chosen.action.invocation_mode === 'background'),
      attribution: ofTask(task),
      application_id: task.application_id,
      session_id: task.session_id,
      model: task.snapshot.model,
      ...(callbackUrl === undefined ? {} : { callbackUrl }),
    });
    const { duration_ms, failure_class, error_code, ...ended } = outcome;
    const cause = failure_class === null ? {} : { failure_class, error_code };
    return { step: { ...blank(next), ...ended, ...cause }, duration_ms };
  }
}

type Called = Pick<RunAction, 'step_no' | 'call' | 'chosen'>;

/** The step of a call that has no result yet. */
export const blank = ({ step_no, call, chosen }: Called): ActionStep => ({
  kind: 'action',
  step_no,
  call_id: call.id,
  status: 'PENDING',
  outcomeOnly: chosen?.action.action_result_type === 'complete_task',
  background: chosen?.action.invocation_mode === 'background',
  output: null,
  error_message: null,
  usage: null,
});

const pending = (next: RunAction) => ({ step: blank(next), duration_ms: 0 });

/** The stored request of a call. */
export const callOf = ({ call: { id, function: called }, chosen }: Called): Record<string, unknown> => ({
  call_id: id,
  tool: called.name,
  action_id: chosen?.action.id ?? null,
  arguments: called.arguments,
});

const requestOf = (next: AskModel, { request_id, model, finish_reason }: ChatResult): Record<string, unknown> => ({
  request_id,
  model,
  finish_reason,
  messages: next.messages.length,
  tools: next.tools.map(({ function: { name } }) => name),
});

/** Where the history of the session is in a call; only the system prompt stands before it. */
const historyIn = ({ history: { length: count } }: RunningTask, { messages }: AskModel): Pick<ChatCall, 'history'> =>
  count === 0 ? {} : { history: { from: messages[0]?.role === 'system' ? 1 : 0, count } };

function chatCall(task: RunningTask, next: AskModel, secrets: SecretBag | undefined): ChatCall {
  const { agent_config: config } = task.snapshot;
  const temperature = numberIn(config, 'temperature');
  const maxTokens = numberIn(config, 'max_tokens');
  return {
    model: next.model,
    application_id: task.application_id,
    ...ofTask(task),
    messages: stripUnstorable(next.messages, secrets),
    ...historyIn(task, next),
    ...(next.tools.length > 0 ? { tools: next.tools } : {}),
    ...(next.tool_choice ? { tool_choice: next.tool_choice } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(task.response_format && task.response_format.type !== 'text' ? { response_format: task.response_format } : {}),
    session_id: task.session_id,
    reference_id: `${task.id}/${next.step_no}`,
    metadata: { agent_id: task.agent_id, task_id: task.id },
  };
}
