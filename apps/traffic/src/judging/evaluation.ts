import { rollOf } from '@signalbox/conditions';
import type { EvaluationState, FailureClass, Usage, Verdict } from '@signalbox/contracts';
import { type AppliedSentinel, settingsOf } from './sentinel.js';

/** What a sentinel says about a request. */
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
 * How a recorded call is evaluated; a record without it is judged after recording, without corrections. `OFF` = not at
 * all, `CORRECT` = after recording and with corrections, `DONE` = it was judged before its answer was sent.
 */
export type RecordedEvaluation = { mode: 'OFF' | 'CORRECT' } | EvaluatedAnswer;

/** The results of a call that was judged before its answer was sent. */
export interface EvaluatedAnswer {
  mode: 'DONE';
  pass_id: string;
  /** The ids under which the client has received the results, in their order. */
  ids: number[];
  results: SentinelResult[];
  /** The client received a corrected answer. */
  corrected: boolean;
}

/** The state of a request by its verdicts (docs/api/traffic.md): any FAULT, else any ERROR, else PASS; NA when nothing judged it. */
export function evaluationStateOf(verdicts: readonly Verdict[]): Exclude<EvaluationState, 'PENDING'> {
  return (['FAULT', 'ERROR', 'PASS'] as const).find((status) => verdicts.includes(status)) ?? 'NA';
}

/** The correction that replaces an answer: that of the most severe fault, of equal ones the oldest sentinel's. */
export function correctionOf(results: readonly SentinelResult[]): string | null {
  const [first] = results
    .filter(({ status, correction }) => status === 'FAULT' && correction !== null)
    .sort((one, other) => other.sentinel.severity - one.sentinel.severity || one.sentinel.id - other.sentinel.id);
  return first?.correction ?? null;
}

/** An answer whose choices, and the output of a workflow, are replaced by one corrected text. */
export function correctedAnswer<Answer extends object>(answer: Answer, text: string): Answer {
  const { output: _output, ...rest } = answer as Answer & { output?: unknown };
  const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
  return { ...rest, choices } as unknown as Answer;
}

/** Whether a sentinel judges a request of live traffic; the roll follows from both ids, so a repeat decides the same. */
export function judgesRequest({ id, meta }: Pick<AppliedSentinel, 'id' | 'meta'>, requestId: string): boolean {
  const { sampleRate } = settingsOf(meta);
  return rollOf(`sentinel ${id} ${requestId}`) < sampleRate;
}
