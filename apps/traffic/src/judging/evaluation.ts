import { rollOf } from '@signalbox/conditions';
import type { EvaluationState, FailureClass, Usage, Verdict } from '@signalbox/contracts';
import { type AppliedSentinel, settingsOf } from './sentinel.js';

export interface SentinelVerdict {
  status: Verdict;
  failure_class: FailureClass | null;
  description: string;
  confidence: number | null;
  correction: string | null;
  eval_time_ms: number;
  usage: Usage;
}

export interface SentinelResult extends SentinelVerdict {
  sentinel: Pick<AppliedSentinel, 'id' | 'sentinel_name' | 'severity'>;
}

/**
 * How a recorded call is evaluated; without it, after recording and without corrections. `OFF` = not at all, `CORRECT`
 * = after recording and with corrections, `DONE` = it was judged before its answer was sent.
 */
export type RecordedEvaluation = { mode: 'OFF' | 'CORRECT' } | EvaluatedAnswer;

export interface EvaluatedAnswer {
  mode: 'DONE';
  pass_id: string;
  /** The ids under which the client has received the results, in the order of `results`. */
  ids: number[];
  results: SentinelResult[];
  /** The client received a corrected answer. */
  corrected: boolean;
}

/** Any FAULT, else any ERROR, else PASS; NA when nothing judged the request (docs/api/traffic.md). */
export function evaluationStateOf(verdicts: readonly Verdict[]): Exclude<EvaluationState, 'PENDING'> {
  return (['FAULT', 'ERROR', 'PASS'] as const).find((status) => verdicts.includes(status)) ?? 'NA';
}

/** The correction of the most severe fault; of equal ones, that of the oldest sentinel. */
export function correctionOf(results: readonly SentinelResult[]): string | null {
  const [first] = results
    .filter(({ status, correction }) => status === 'FAULT' && correction !== null)
    .sort((one, other) => other.sentinel.severity - one.sentinel.severity || one.sentinel.id - other.sentinel.id);
  return first?.correction ?? null;
}

export function correctedAnswer<Answer extends object>(answer: Answer, text: string): Answer {
  const { output: _output, ...rest } = answer as Answer & { output?: unknown };
  const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
  return { ...rest, choices } as unknown as Answer;
}

/** Samples live traffic. The sample follows from both ids, so a repeat decides the same. */
export function judgesRequest({ id, meta }: Pick<AppliedSentinel, 'id' | 'meta'>, requestId: string): boolean {
  const { sampleRate } = settingsOf(meta);
  return rollOf(`sentinel ${id} ${requestId}`) < sampleRate;
}
