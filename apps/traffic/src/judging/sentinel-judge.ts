import { Injectable } from '@nestjs/common';
import { TextTests } from '@signalbox/conditions';
import { addUsage, ApiError, type FailureClass, NO_USAGE, type Usage } from '@signalbox/contracts';
import { type AppliedSentinel, settingsOf } from './sentinel.js';
import type { SentinelVerdict } from './evaluation.js';
import { failureClassOf, JudgeCalls } from './judge-calls.js';
import { type JudgedCall, type JudgedParts, judgedParts, textOfCall } from './judged-request.js';
import {
  CORRECTION_FORMAT,
  correctionIn,
  correctionMessages,
  verdictFormat,
  verdictIn,
  verdictMessages,
} from './sentinel-prompt.js';

const JUDGEMENT_MS = 150_000;

export interface Judged extends JudgedCall {
  companyId: number;
  requestId: string | null;
  originId?: string | null;
  correct: boolean;
  deadline?: number;
}

type Outcome = Omit<SentinelVerdict, 'eval_time_ms' | 'usage'>;

/** Failures are verdicts; only outages of the platform are thrown. */
@Injectable()
export class SentinelJudge {
  constructor(
    private readonly calls: JudgeCalls,
    private readonly tests: TextTests,
  ) {}

  async judge(sentinel: AppliedSentinel, judged: Judged, signal: AbortSignal): Promise<SentinelVerdict> {
    const start = performance.now();
    const calls: Usage[] = [];
    const outcome = await this.outcome(sentinel, judged, calls, signal);
    const usage = calls.reduce(addUsage, NO_USAGE);
    return { ...outcome, usage, eval_time_ms: Math.round(performance.now() - start) };
  }

  private async outcome(
    sentinel: AppliedSentinel,
    judged: Judged,
    calls: Usage[],
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { sentinel_directive: directive } = sentinel;
    try {
      if (!(await this.qualifies(sentinel, judged))) return verdict('NA', 'the qualification is not met');
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind === 'unavailable') throw error;
      return failed(failureClassOf(error), error.message);
    }
    const parts = judgedParts(judged, directive.include_options);
    const answered = await this.calls.ask(
      {
        ...this.question(sentinel, judged),
        messages: verdictMessages(directive, parts),
        format: verdictFormat(directive),
        read: (content) => verdictIn(content, directive),
      },
      signal,
    );
    calls.push(answered.usage);
    if (answered.failure) return failed(answered.failure.failure_class, answered.failure.message);
    const { verdict: status, reason, confidence } = answered.reply;
    const isCorrected = status === 'FAULT' && judged.correct;
    const correction = isCorrected ? await this.correction(sentinel, judged, { parts, reason, calls }, signal) : null;
    return { ...verdict(status, reason), confidence, correction };
  }

  private async qualifies(
    { sentinel_directive: { qualification } }: AppliedSentinel,
    judged: Judged,
  ): Promise<boolean> {
    if (qualification?.type !== 'STATIC') return true;
    const test = { operator: 'matches' as const, pattern: qualification.instruction, text: textOfCall(judged) };
    return this.tests.passes(judged.companyId, test);
  }

  private async correction(
    sentinel: AppliedSentinel,
    judged: Judged,
    { parts, reason, calls }: { parts: JudgedParts; reason: string; calls: Usage[] },
    signal: AbortSignal,
  ): Promise<string | null> {
    const { sentinel_directive: directive } = sentinel;
    if (!directive.correction) return null;
    if (directive.correction.type === 'STATIC') return directive.correction.instruction;
    const corrected = await this.calls.ask(
      {
        ...this.question(sentinel, judged),
        messages: correctionMessages(directive, parts, reason),
        format: CORRECTION_FORMAT,
        read: correctionIn,
      },
      signal,
    );
    calls.push(corrected.usage);
    return corrected.reply;
  }

  private question({ id, meta }: AppliedSentinel, { companyId, requestId, originId = null, deadline }: Judged) {
    const { model, temperature } = settingsOf(meta);
    const metadata = { sentinel_id: id, ...(requestId === null ? {} : { judged_request_id: requestId }) };
    return { companyId, model, temperature, metadata, originId, deadline: deadline ?? Date.now() + JUDGEMENT_MS };
  }
}

const verdict = (status: 'PASS' | 'FAULT' | 'NA', description: string): Outcome => ({
  status,
  failure_class: status === 'FAULT' ? 'quality' : null,
  description,
  confidence: null,
  correction: null,
});

const failed = (failure_class: FailureClass, description: string): Outcome => ({
  status: 'ERROR',
  failure_class,
  description,
  confidence: null,
  correction: null,
});
