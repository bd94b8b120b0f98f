import { randomUUID } from 'node:crypto';
import { lineOf } from '@signalbox/bus';
import {
  ApiError,
  type Caller,
  type ChatCall,
  type ChatDelta,
  type ChatResult,
  type Usage,
} from '@signalbox/contracts';
import { costOf, ProviderError } from '@signalbox/llm';
import { tracing } from '@signalbox/platform';
import type { RequestLog } from '../request-log/request-log.js';
import { recordOf } from '../requests/request-record.js';
import type { CompletionBackend, Parameters } from './backends/completion-backend.js';
import { StreamAccumulator } from './stream-accumulator.js';
import { type CallFailure, clientDisconnected, failureOf } from './call-failure.js';
import { type Answered, resultOf, usageOf } from './chat-call.js';
import { emptyStreamError } from './opened-stream.js';

/** A call of another service, with its backend. */
export interface ServiceCallInput {
  call: ChatCall;
  caller: Caller;
  by: CompletionBackend;
  parameters: Parameters;
  began: number;
}

/** The outcome of a call. */
interface Ended {
  answer: Answered | null;
  failure: CallFailure | null;
  firstTokenMs: number | null;
}

/** One model call for another service, recorded once whatever its outcome. */
export class ServiceCall {
  private readonly requestId: string;

  constructor(
    private readonly log: RequestLog,
    private readonly asked: ServiceCallInput,
  ) {
    this.requestId = asked.call.request_id ?? randomUUID();
    tracing?.annotate({ 'signalbox.request_id': this.requestId });
  }

  /** Returns the complete answer. */
  async complete(signal: AbortSignal): Promise<ChatResult> {
    const { by, parameters, caller } = this.asked;
    const ended: Ended = { answer: null, failure: null, firstTokenMs: null };
    try {
      ended.answer = await by.complete(parameters, { caller, signal });
    } catch (error) {
      ended.failure = failureOf(error, signal);
    }
    return this.result(ended, signal);
  }

  /** Streams the answer as lines of `ChatDelta`. */
  async *lines(signal: AbortSignal): AsyncGenerator<string> {
    const assembled = new StreamAccumulator();
    const { by, parameters, caller, began } = this.asked;
    const ended: Ended = { answer: null, failure: null, firstTokenMs: null };
    try {
      for await (const chunk of await by.stream(parameters, { caller, signal })) {
        assembled.add(chunk as never);
        if (ended.firstTokenMs === null && assembled.hasToken) ended.firstTokenMs = Date.now() - began;
        const text = chunk.choices.find(({ index }) => index === 0)?.delta.content;
        if (text) yield lineOf({ text } satisfies ChatDelta);
      }
    } catch (error) {
      ended.failure = failureInStream(error, signal);
    }
    ended.answer = assembled.completion(by.model) as Answered | null;
    ended.failure ??= ended.answer ? null : failureInStream(emptyStreamError(), signal);
    yield lineOf({ result: await this.result(ended, signal) } satisfies ChatDelta);
  }

  private async result(ended: Ended, signal: AbortSignal): Promise<ChatResult> {
    if (signal.aborted) ended.failure = clientDisconnected();
    const usage = await this.record(ended);
    if (ended.failure) throw ended.failure.error;
    return resultOf(this.requestId, this.asked.by.model, ended.answer ?? { choices: [] }, usage);
  }

  private async record({ answer, failure, firstTokenMs }: Ended): Promise<Usage> {
    const { call, caller, by, parameters, began } = this.asked;
    const usage = usageOf(answer, answer?.usage ? costOf({ ...usageOf(answer, null) }, by.prices) : null);
    await this.log.append(
      recordOf({
        requestId: this.requestId,
        companyId: caller.companyId,
        place: { applicationId: call.application_id ?? null, intentId: null, intentGroupId: null },
        sessionId: call.session_id ?? null,
        agentId: call.agent_id ?? null,
        workflowId: call.workflow_id ?? null,
        release: call.release ?? null,
        // The session belongs to the caller, such as that of an agent.
        inSession: false,
        referenceId: call.reference_id ?? null,
        requestType: call.request_type,
        origin: call.origin ?? 'AGENT',
        originId: call.origin_id ?? taskOf(call),
        inferenceLocation: 'SERVER',
        model: by.model,
        provider: by.provider,
        metadata: call.metadata,
        params: parameters,
        answer,
        failure,
        fallback: null,
        usage,
        firstTokenMs,
        responseMs: Date.now() - began,
        began,
      }),
    );
    return usage;
  }
}

/** The task of a call; callers of earlier releases give it in the metadata only. */
const taskOf = ({ metadata: { task_id: id } }: ChatCall): string | null => (typeof id === 'string' ? id : null);

/** Names an interrupted stream by its error code, because callers that support restarts may retry it. */
function failureInStream(error: unknown, signal: AbortSignal): CallFailure {
  const failure = failureOf(error, signal);
  const broke = error instanceof ProviderError && error.code === 'stream_interrupted' && !signal.aborted;
  return broke
    ? { ...failure, error: new ApiError('bad_upstream', error.message, { code: 'stream_interrupted' }) }
    : failure;
}
