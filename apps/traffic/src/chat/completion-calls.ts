import { Injectable } from '@nestjs/common';
import { SchemaChecker } from '@signalbox/conditions';
import { addUsage, ApiError, NO_USAGE } from '@signalbox/contracts';
import { type ChatCompletion, ProviderError } from '@signalbox/llm';
import { largeWork, tracing } from '@signalbox/platform';
import { AnswerEvaluation, awaitsEvaluation } from './answer-evaluation.js';
import { correctedAnswer } from '../judging/index.js';
import { RequestLog } from '../request-log/index.js';
import { recordOf, scrubbedCall } from '../request-records/index.js';
import { SessionClaims } from '../sessions/index.js';
import type { CompletionBackend, Parameters } from './backends/completion-backend.js';
import { type BackendCall, CompletionBackends } from './backends/completion-backends.js';
import { usageOfFailed } from './backends/failed-answer.js';
import { isJudgement } from './backends/judge-model.js';
import { clientDisconnected, failureOf } from './call-failure.js';
import type { ProviderReply } from './chat-call.js';
import { type CallFacts, parametersOfCall } from './completion-call.js';
import {
  type BackendAnswer,
  type CallInput,
  type CallOutcome,
  factsOf,
  finishedCallOf,
  type Prepared,
} from './finished-call.js';
import { begun, type OpenedStream } from './streams/opened-stream.js';
import { type Attempt, firstAnswer, type FallbackAttempt, type FirstAnswer } from './backends/fallback.js';

/** Makes completion calls with their fallbacks and records each once. */
@Injectable()
export class CompletionCalls {
  constructor(
    private readonly backends: CompletionBackends,
    private readonly sessions: SessionClaims,
    private readonly log: RequestLog,
    private readonly schemas: SchemaChecker,
    private readonly evaluations: AnswerEvaluation,
  ) {}

  /** Refuses invalid calls; an accepted call is always recorded. */
  async prepare(asked: CallInput): Promise<Prepared> {
    this.log.assertDiskSpace();
    const { requestId, caller, call, place, sessionId, requestType, rerunOf, limitMs, madeBy } = asked;
    await this.schemas.requireGoodFormat(caller.companyId, call.response_format);
    tracing?.annotate({ 'signalbox.request_id': requestId });
    const began = Date.now();
    const first = await this.backends.of(caller, call.model, agentCallOf(asked), limitMs);
    if (sessionId !== null && call.session_id !== undefined)
      await this.sessions.claim(caller.companyId, sessionId, place.applicationId);
    const parameters = parametersOfCall(call) as Parameters;
    const written = JSON.stringify(parameters);
    // Written out: copying an object of varying shape takes longer than serialising the messages.
    return {
      requestId,
      caller,
      call,
      place,
      sessionId,
      requestType,
      rerunOf,
      limitMs,
      madeBy,
      parameters,
      written,
      first,
      plan: call.fallback_config ?? null,
      began,
    };
  }

  /** A failure is recorded and then thrown. */
  async complete(prepared: Prepared, signal: AbortSignal): Promise<{ answer: ChatCompletion; facts: CallFacts }> {
    const { caller, first, parameters, written } = prepared;
    const ask = (by: CompletionBackend, stop: AbortSignal) =>
      by.complete(parameters, { caller, signal: stop, written });
    let outcome: CallOutcome;
    try {
      const { value, reason, failed, over } = await this.first(prepared, ask, signal);
      over();
      const failure = signal.aborted ? clientDisconnected() : null;
      const failedUsage = usageOfFailed(failed);
      outcome = { by: value.by, reason, answer: value.value, failure, firstTokenMs: null, failedUsage };
    } catch (error) {
      outcome = { by: first, reason: null, answer: null, failure: failureOf(error, signal), firstTokenMs: null };
    }
    return this.conclude(prepared, outcome, true, signal);
  }

  /** Evaluates an answer as its call asks for, and records the call. A failure is recorded and then thrown. */
  async conclude<A extends ProviderReply = ChatCompletion>(
    prepared: Prepared,
    outcome: CallOutcome,
    correctable: boolean,
    signal: AbortSignal,
  ): Promise<{ answer: A; facts: CallFacts }> {
    const evaluated = await this.evaluated(prepared, outcome, correctable, signal);
    const facts = await this.record(prepared, evaluated);
    const answer = evaluated.answer as A | null;
    if (evaluated.failure || !answer) throw this.errorFor(prepared, evaluated);
    const correction = evaluated.evaluation?.correction ?? null;
    return { answer: correction === null ? answer : correctedAnswer(answer, correction), facts };
  }

  /** Adds the evaluation that the call waits for; `correctable` = its answer was not sent yet. */
  async evaluated(
    prepared: Prepared,
    outcome: CallOutcome,
    correctable: boolean,
    signal: AbortSignal,
  ): Promise<CallOutcome> {
    if (outcome.failure || !outcome.answer || !awaitsEvaluation(prepared)) return outcome;
    const answeredAt = Date.now();
    const evaluation = await this.evaluations.of(prepared, outcome.answer, correctable, signal);
    const failure = signal.aborted ? clientDisconnected() : null;
    return { ...outcome, failure, answeredAt, evaluation };
  }

  /** Resolves when the first chunk has arrived; a failure before it is recorded and then thrown. */
  async open(prepared: Prepared, signal: AbortSignal): Promise<FirstAnswer<BackendAnswer<OpenedStream>>> {
    const { caller, first, parameters, written } = prepared;
    const ask = async (by: CompletionBackend, stop: AbortSignal): Promise<OpenedStream> =>
      begun(await by.stream(parameters, { caller, signal: stop, written }));
    try {
      return await this.first(prepared, ask, signal);
    } catch (error) {
      const failure = failureOf(error, signal);
      const outcome = { by: first, reason: null, answer: null, failure, firstTokenMs: null };
      await this.record(prepared, outcome);
      throw this.errorFor(prepared, outcome);
    }
  }

  /** When this resolves, the record cannot be lost. */
  async record(prepared: Prepared, outcome: CallOutcome): Promise<CallFacts> {
    await largeWork.turn(prepared.written.length, prepared.caller.companyId);
    const finished = finishedCallOf(prepared, outcome);
    const record = recordOf(scrubbedCall(finished, prepared.call.secrets));
    await this.log.append(record);
    return factsOf(prepared, outcome, record, finished);
  }

  /** Contains the id of the record; a repeated call with the same idempotency key gets the same error. */
  errorFor({ requestId, sessionId, madeBy }: Prepared, { failure, failedUsage }: CallOutcome): ApiError {
    const { error, isInterrupted } = failure ?? clientDisconnected();
    if (isInterrupted && madeBy) return new ApiError('bad_upstream', error.message, { code: 'stream_interrupted' });
    const { kind, message, extras } =
      error instanceof ApiError ? error : new ApiError('internal', 'internal server error');
    const headers = { ...extras.headers, ...headersOf({ requestId, sessionId }) };
    const usage = failedUsage ? { usage: addUsage(failedUsage, extras.usage ?? NO_USAGE) } : {};
    return new ApiError(kind, message, { ...extras, ...usage, headers, afterEffect: true });
  }

  private first<T>(
    prepared: Prepared,
    ask: (by: CompletionBackend, stop: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<FirstAnswer<BackendAnswer<T>>> {
    const { caller, first, plan, limitMs } = prepared;
    const of =
      (find: () => CompletionBackend | Promise<CompletionBackend>): Attempt<BackendAnswer<T>> =>
      async (stop) => {
        const by = await find();
        return { by, value: await ask(by, stop) };
      };
    const fallbackAttempt: FallbackAttempt<BackendAnswer<T>> | null = plan && {
      attempt: of(() => this.backends.of(caller, plan.model, agentCallOf(prepared), limitMs)),
      plan,
      judge: (error) => (error instanceof ProviderError && error.code !== 'cancelled' ? error.failureClass : null),
    };
    return firstAnswer(
      of(() => first),
      fallbackAttempt,
      signal,
    );
  }
}

const agentCallOf = ({
  call: { secrets, input, metadata },
  place: { applicationId },
  sessionId,
  madeBy,
}: CallInput): BackendCall => ({
  secrets,
  input,
  applicationId,
  sessionId,
  // Agents and judges need a model.
  modelsOnly: madeBy !== undefined && madeBy.origin !== 'WORKFLOW',
  isJudge: madeBy !== undefined && isJudgement(madeBy, metadata?.['purpose']),
});

export const headersOf = ({ requestId, sessionId }: { requestId: string; sessionId: string | null }) => ({
  'X-Request-Id': requestId,
  ...(sessionId === null ? {} : { 'X-Service-Session-Id': sessionId }),
});
