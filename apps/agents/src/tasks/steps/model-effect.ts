import { Injectable } from '@nestjs/common';
import { SchemaChecker, TOO_COSTLY } from '@signalbox/conditions';
import type { ChatCall, ChatResult } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import { retriedPart, stripUnstorable } from '@signalbox/runs';
import { type AnswerStream, type DeliveredText, ModelCalls, taskAttribution } from '../../models/index.js';
import type { RunningTask } from '../execution/running-task.js';
import type { Outcome, StepRecord } from '../execution/task-outcome.js';
import { isJsonFormat, type ModelStep, readAnswer, resendable } from '../model/conversation.js';
import { type AskModel, type Complete, fail, type Fail } from './next.js';

/** Results contain no secrets and can be stored. */
@Injectable()
export class ModelEffect {
  constructor(
    private readonly models: ModelCalls,
    private readonly schemas: SchemaChecker,
  ) {}

  /** The answer is streamed to `stream` while it is generated. */
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
    const message = resendable(stripUnstorable(answer.message, secrets), next.step_no);
    const check = () => this.problemOf(task, message);
    const problem = message.tool_calls?.length ? null : await retriedPart(signal, check);
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
    const isJson = isJsonFormat(task.response_format);
    const duration_ms = Date.now() - began;
    return { step, request, duration_ms, executedCall: null, delivered: await stream.end(), isJson };
  }

  /** An answer that was not validated yet has to fit the response format too. */
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
}

const numberIn = (config: Record<string, unknown>, name: string): number | undefined =>
  typeof config[name] === 'number' ? config[name] : undefined;

const requestOf = (next: AskModel, { request_id, model, finish_reason }: ChatResult): Record<string, unknown> => ({
  request_id,
  model,
  finish_reason,
  messages: next.messages.length,
  tools: next.tools.map(({ function: { name } }) => name),
});

/** Where the history of the session is in a call: after the system prompt. */
const historyIn = ({ history: { length: count } }: RunningTask, { messages }: AskModel): Pick<ChatCall, 'history'> =>
  count === 0 ? {} : { history: { from: messages[0]?.role === 'system' ? 1 : 0, count } };

function chatCall(task: RunningTask, next: AskModel, secrets: SecretBag | undefined): ChatCall {
  const { agent_config: config } = task.snapshot;
  const temperature = numberIn(config, 'temperature');
  const maxTokens = numberIn(config, 'max_tokens');
  return {
    model: next.model,
    application_id: task.application_id,
    ...taskAttribution(task),
    messages: stripUnstorable(next.messages, secrets),
    ...historyIn(task, next),
    ...(next.tools.length > 0 ? { tools: next.tools } : {}),
    ...(next.tool_choice ? { tool_choice: next.tool_choice } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(isJsonFormat(task.response_format) ? { response_format: task.response_format } : {}),
    session_id: task.session_id,
    reference_id: `${task.id}/${next.step_no}`,
    metadata: { agent_id: task.agent_id, task_id: task.id },
  };
}
