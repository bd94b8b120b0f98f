import { type BusClient, textIn } from '@signalbox/bus';
import {
  ApiError,
  type Caller,
  type CompletionCall,
  type Execution,
  type FailureClass,
  notFound,
  parse,
  workflowInvocations,
  workflowLinks,
} from '@signalbox/contracts';
import type { ChatChunk, ChatCompletion } from '@signalbox/llm';
import { type PushStream, pushStreamOf } from '@signalbox/platform';
import type { AnsweredBy } from '../../request-records/index.js';
import type { ProviderReply } from '../chat-call.js';
import { AgentChunks } from './agent-chunks.js';
import { plainMessages } from './agent-backend.js';
import type { CompletionBackend, CompletionContext, Parameters } from './completion-backend.js';
import { FailedAnswer } from './failed-answer.js';
import type { WorkflowName } from '../../models/index.js';

const ANSWER_ID = 'chatcmpl-';

export interface WorkflowCall {
  secrets?: CompletionCall['secrets'];
  input?: unknown;
  sessionId?: string | null;
}

/** Completes calls by a run of a workflow, whose model calls are recorded separately. */
export class WorkflowBackend implements CompletionBackend {
  readonly provider = 'workflows';
  readonly prices = { input_price_per_mtok: null, output_price_per_mtok: null };

  private constructor(
    private readonly bus: BusClient,
    readonly model: string,
    private readonly name: WorkflowName,
    private readonly call: WorkflowCall,
  ) {}

  /** Throws 404 `model_not_found` when the company has no such workflow, version or release. */
  static async find(
    bus: BusClient,
    model: string,
    name: WorkflowName,
    caller: Caller,
    call: WorkflowCall,
  ): Promise<WorkflowBackend> {
    try {
      const reference = parse(workflowLinks.endpoints.resolveWorkflow.input, name);
      await bus.call(workflowLinks.endpoints.resolveWorkflow, reference, caller);
    } catch (error) {
      if (!(error instanceof ApiError) || (error.kind !== 'not_found' && error.kind !== 'invalid')) throw error;
      throw notFound(`model ${model}`, { code: 'model_not_found' });
    }
    return new WorkflowBackend(bus, model, name, call);
  }

  answeredBy(answer: ProviderReply | null): AnsweredBy | null {
    const runId = answer?.id?.startsWith(ANSWER_ID) ? answer.id.slice(ANSWER_ID.length) : '';
    return runId === '' ? null : { taskId: null, runId };
  }

  async complete({ messages }: Parameters, { caller, signal }: CompletionContext): Promise<ChatCompletion> {
    const { invokeWorkflow } = workflowInvocations.endpoints;
    const { secrets, input, sessionId } = this.call;
    const invocation = {
      ...this.name,
      trigger: 'CHAT',
      messages: plainMessages(messages),
      ...(input === undefined ? {} : { input }),
      ...(sessionId ? { session_id: sessionId } : {}),
      ...(secrets ? { secrets } : {}),
    };
    try {
      const reply = await this.bus.forward(invokeWorkflow, parse(invokeWorkflow.input, invocation), caller, signal);
      return completionOf(this.model, JSON.parse(textIn(reply)) as Execution);
    } catch (error) {
      throw failed(error);
    }
  }

  /** The answer of a workflow is known at its end, so its stream has one delta. */
  stream(parameters: Parameters, context: CompletionContext): Promise<PushStream<ChatChunk>> {
    return this.complete(parameters, context).then((completion) => {
      const runId = completion.id.slice(ANSWER_ID.length);
      return pushStreamOf(chunksOf(new AgentChunks(this.model, runId), completion));
    });
  }
}

async function* chunksOf(chunks: AgentChunks, completion: ChatCompletion): AsyncGenerator<ChatChunk> {
  yield* chunks.end(completion);
}

function completionOf(model: string, run: Execution): ChatCompletion {
  const { id = '', status, error_message, output = null, usage, completed_at } = run;
  const message = `run ${id} ${status}${error_message ? `: ${error_message}` : ''}`;
  if (status !== 'COMPLETED') throw runFailed(run, message);
  const content = typeof output === 'string' ? output : JSON.stringify(output);
  const completion = {
    id: `${ANSWER_ID}${id}`,
    object: 'chat.completion' as const,
    created: Math.floor((completed_at ?? Date.now()) / 1000),
    model,
    choices: [{ index: 0, message: { role: 'assistant' as const, content }, finish_reason: 'stop' as const }],
    usage: usage ? { ...usage } : null,
    output,
  };
  return completion;
}

/** Only failures of a provider and time-outs count as those of a model, for which a fallback may answer. */
function runFailed({ status, failure_class, error_code, usage }: Execution, message: string): Error {
  if (status === 'TIMED_OUT' || failure_class === 'timeout') return new FailedAnswer('timeout', message, usage);
  if (failure_class === 'provider') return new FailedAnswer('provider', message, usage);
  const of = (failureClass: FailureClass, code: string) => ({ code, failureClass, ...(usage ? { usage } : {}) });
  if (status === 'CANCELLED') return new ApiError('conflict', message, of('internal', 'cancelled'));
  if (failure_class === 'quality')
    return new ApiError('refused', message, of('quality', error_code ?? 'workflow_failed'));
  return new ApiError('internal', message, of(failure_class ?? 'internal', 'workflow_failed'));
}

function failed(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { usage } = error.extras;
  if (error.kind === 'timeout') return new FailedAnswer('timeout', error.message, usage);
  return error.kind === 'unavailable' ? new FailedAnswer('provider', error.message, usage) : error;
}
