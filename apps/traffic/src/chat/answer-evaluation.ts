import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  ApiError,
  type Caller,
  type CompletionCall,
  type EvaluationResult,
  NO_USAGE,
  type RequestType,
} from '@signalbox/contracts';
import { SecretBag } from '@signalbox/egress';
import type { CallScope } from './scope/call-scope.js';
import type { RequestRecord } from '../request-records/index.js';
import {
  type AppliedSentinel,
  correctionOf,
  type EvaluatedAnswer,
  EvaluationResults,
  inGroups,
  type Judged,
  judgesRequest,
  type RecordedEvaluation,
  SentinelJudge,
  type SentinelResult,
  Sentinels,
} from '../judging/index.js';
import { EvaluatedCompanies } from '../watched-companies/index.js';

/** Sentinels that judge one answer concurrently. */
const AT_ONCE = 8;
/** Reserved of the caller's time limit for the record and the reply. */
const MARGIN_MS = 2000;

export interface EvaluatedCall {
  requestId: string;
  caller: Caller;
  call: Pick<
    CompletionCall,
    'evaluation_enabled' | 'apply_corrections' | 'safe_mode' | 'return_evaluation' | 'secrets'
  >;
  place: Pick<CallScope, 'intentGroupId'>;
  requestType: RequestType;
  parameters: Record<string, unknown>;
}

export interface AwaitedEvaluation {
  recorded: EvaluatedAnswer;
  correction: string | null;
}

/** How a call that did not wait for its evaluation is evaluated after it was recorded. */
export const evaluationAfter = ({
  evaluation_enabled,
  apply_corrections,
}: Pick<CompletionCall, 'evaluation_enabled' | 'apply_corrections'>): RecordedEvaluation | null => {
  if (evaluation_enabled === false) return { mode: 'OFF' };
  return apply_corrections === true ? { mode: 'CORRECT' } : null;
};

/** True when a call asks to wait for sentinels, even when there are none. */
export const awaitsEvaluation = ({ call, place, requestType }: EvaluatedCall): boolean =>
  call.evaluation_enabled !== false &&
  (call.safe_mode === true || call.return_evaluation) &&
  requestType === 'PROD' &&
  place.intentGroupId !== null;

@Injectable()
export class AnswerEvaluation {
  constructor(
    private readonly companies: EvaluatedCompanies,
    private readonly sentinels: Sentinels,
    private readonly judge: SentinelJudge,
    private readonly results: EvaluationResults,
  ) {}

  /**
   * Null when no evaluation is awaited, or when the client has left. A judge that fails or runs out of time gives an
   * ERROR result and the answer is sent as it is, so that a broken judge does not stop traffic. `correctable` = the
   * answer has not been sent yet.
   */
  async of(
    asked: EvaluatedCall,
    response: object,
    correctable: boolean,
    signal: AbortSignal,
  ): Promise<AwaitedEvaluation | null> {
    const { caller, call, place, requestId } = asked;
    const { companyId } = caller;
    if (!awaitsEvaluation(asked) || !(await this.companies.has(companyId))) return null;
    const enabled = await this.sentinels.enabledOf(companyId, place.intentGroupId ?? 0);
    const judging = enabled.filter((sentinel) => judgesRequest(sentinel, requestId));
    const judged: Judged = {
      ...scrubbed({ params: asked.parameters, response }, call.secrets),
      companyId,
      requestId,
      correct: call.apply_corrections === true,
      deadline: caller.deadline - MARGIN_MS,
    };
    const results = await inGroups(judging, AT_ONCE, async (sentinel) => [await this.result(sentinel, judged, signal)]);
    if (signal.aborted) return null;
    const correction = correctable && call.apply_corrections === true ? correctionOf(results) : null;
    const ids = await this.results.reserve(companyId, results.length);
    const recorded = { mode: 'DONE' as const, pass_id: randomUUID(), ids, results, corrected: correction !== null };
    return { recorded, correction };
  }

  private async result(sentinel: AppliedSentinel, judged: Judged, signal: AbortSignal): Promise<SentinelResult> {
    const { id, sentinel_name, severity } = sentinel;
    const of = { sentinel: { id, sentinel_name, severity } };
    try {
      return { ...of, ...(await this.judge.judge(sentinel, judged, signal)) };
    } catch (error) {
      if (!(error instanceof ApiError) && !signal.aborted) throw error;
      const description = error instanceof ApiError ? error.message : 'the client has disconnected';
      const failed = { status: 'ERROR' as const, failure_class: 'judge' as const, description };
      return { ...of, ...failed, confidence: null, correction: null, eval_time_ms: 0, usage: NO_USAGE };
    }
  }
}

/** Without the values of secrets, because judgements are recorded. */
function scrubbed<Value extends object>(value: Value, secrets: CompletionCall['secrets']): Value {
  return secrets && Object.keys(secrets).length > 0 ? new SecretBag(secrets).scrubValue(value) : value;
}

export function resultsOf(record: RequestRecord, { pass_id, ids, results }: EvaluatedAnswer): EvaluationResult[] {
  const { request_id, session_id, application_id, intent_id, intent_group_id } = record;
  const of = { request_id, session_id, application_id, intent_id, intent_group_id };
  return results.map(({ sentinel, ...verdict }, at) => ({
    id: ids[at] ?? 0,
    evaluation_request_id: pass_id,
    evaluation_id: null,
    ...of,
    sentinel_id: sentinel.id,
    sentinel_name: sentinel.sentinel_name,
    severity: sentinel.severity,
    ...verdict,
    date_created: Date.now(),
  }));
}
