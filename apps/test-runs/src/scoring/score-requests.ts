import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Caller, conflict, earlierReply, type ScoreSummary } from '@signalbox/contracts';
import type { LockedTestRun } from '../run-records/index.js';
import { ScoreSummaries } from './score-summaries.repository.js';
import { type Scoring, Scorings } from './scorings.repository.js';

const WAIT_MS = 2000;
const POLL_MS = { first: 10, longest: 250 };

@Injectable()
export class ScoreRequests {
  constructor(
    private readonly scorings: Scorings,
    private readonly summaries: ScoreSummaries,
  ) {}

  /**
   * By the criteria of the run unless others are given. What is not scored within two seconds is scored after the
   * reply, whose status is SCORING.
   */
  async score(caller: Caller, run: LockedTestRun, criteria: readonly number[] | null): Promise<ScoreSummary> {
    const { companyId } = caller;
    const { scoring_id } =
      earlierReply<{ scoring_id: number }>(caller) ?? (await this.scorings.begin(caller, run.no, criteria));
    const scoring = await this.ended(companyId, scoring_id);
    if (!scoring) throw conflict(`test run ${run.no} executes items again`);
    return this.summary(companyId, run.id, scoring);
  }

  async summaryOf(companyId: number, runId: string): Promise<ScoreSummary | null> {
    const scoring = await this.scorings.own(companyId, runId);
    return scoring && this.summary(companyId, runId, scoring);
  }

  private async summary(companyId: number, runId: string, scoring: Scoring): Promise<ScoreSummary> {
    const sums = await this.summaries.of(companyId, runId, scoring);
    const { status, scored, total } = scoring;
    return {
      ...sums,
      ...(status === 'SCORING' ? { scored, total } : {}),
      status,
      ...(scoring.is_partial ? { partial: true } : {}),
    };
  }

  /** At its end, or after two seconds; null when it was given up for a new execution. */
  private async ended(companyId: number, id: number): Promise<Scoring | null> {
    const until = Date.now() + WAIT_MS;
    for (let pause = POLL_MS.first; ; pause = Math.min(pause * 2, POLL_MS.longest)) {
      const scoring = await this.scorings.load(companyId, id);
      const left = until - Date.now();
      if (scoring?.status !== 'SCORING' || left <= 0) return scoring;
      await delay(Math.min(pause, left));
    }
  }
}
