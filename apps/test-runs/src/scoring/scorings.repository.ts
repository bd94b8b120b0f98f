import { Injectable } from '@nestjs/common';
import type { Caller, ScoringStatus } from '@signalbox/contracts';
import { Database, type Tx, type Statement } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { forgetEvents, type LockedTestRun, TestRunRows, TestRuns } from '../run-records/index.js';
import { criteriaKey, type Criterion, definitionsSha256 } from '../judging/index.js';
import { ScoreSummaries } from './score-summaries.repository.js';
import {
  ADVANCE_SCORING,
  BEGIN_SCORING,
  FIND_SCORING,
  FORGET_DEFINITIONS,
  OVERRIDDEN_ITEM,
  OWN_SCORING,
  SCORING_BY_CRITERIA,
  STREAMED_SCORING,
  FAIL_SCORING,
  STOP_SCORING,
  STREAM_SCORING,
  RESTART_SCORING,
  END_SCORING,
} from './scorings.sql.js';
import { CRITERIA_OF_SCORING } from './run-scores.sql.js';

export const SCORE_WORK = 'test_run_score';

export interface Scoring {
  id: number;
  run_id: string;
  criteria_key: string;
  criteria_ids: number[];
  criteria: Criterion[];
  definitions_sha256: string;
  is_partial: boolean;
  status: ScoringStatus;
  revision: number;
  after_position: number;
  scored: number;
  total: number;
  is_streamed: boolean;
}

interface ScoringRequest {
  /** Null for the criteria of the run. */
  criteria: readonly number[] | null;
  /** Some items of the run have not ended. */
  isPartial: boolean;
}

/** A scoring began anew or was ended while its worker scored items. */
export class ScoringChanged extends Error {}

/**
 * One for the criteria of the run, and one for each set of other criteria.
 *
 * SQL: a scoring is locked with its run, and advances with the scores that are written.
 */
@Injectable()
export class Scorings {
  constructor(
    private readonly db: Database,
    private readonly rows: TestRunRows,
    private readonly runs: TestRuns,
    private readonly summaries: ScoreSummaries,
  ) {}

  begin(caller: Caller, no: number, criteria: readonly number[] | null): Promise<{ scoring_id: number }> {
    return this.db.withCompany(caller, async (tx) => {
      const run = await this.rows.lock(tx, no);
      const scoring_id = await this.beginIn(tx, run, { criteria, isPartial: run.status !== 'COMPLETED' });
      const after = { criteria_ids: criteria ?? run.criteria_ids };
      tx.audit({ action: 'score', resource_type: 'test_run', resource_id: String(no), before: null, after });
      return { scoring_id };
    });
  }

  /** A running scoring is continued, unless its criteria have changed or it covers less than it has to. */
  async beginIn(tx: Tx, run: LockedTestRun, { criteria: given, isPartial }: ScoringRequest): Promise<number> {
    const key = criteriaKey(run.criteria_ids, given);
    const ids = key === '' || given === null ? run.criteria_ids : [...given];
    const criteria = ids.length > 0 ? await tx.query<Criterion>(CRITERIA_OF_SCORING, [tx.companyId, ids]) : [];
    const sha256 = definitionsSha256(criteria);
    const [found] = await tx.query<Scoring>(SCORING_BY_CRITERIA, [tx.companyId, run.id, key]);
    const covers = found && (isPartial || !found.is_partial);
    if (found?.status === 'SCORING' && found.definitions_sha256 === sha256 && covers) return found.id;
    const [begun] = await tx.query<{ id: number }>(BEGIN_SCORING, [
      tx.companyId,
      run.id,
      key,
      ids,
      JSON.stringify(criteria),
      sha256,
      isPartial,
    ]);
    const id = begun?.id ?? 0;
    // Scores by other definitions are about to be mixed with those in force.
    if (key === '') await tx.query(FORGET_DEFINITIONS, [tx.companyId, run.id, sha256]);
    tx.addWork(SCORE_WORK, `${run.id}/${id}`);
    return id;
  }

  /** Null when the run was deleted or executes items again. */
  async load(companyId: number, id: number): Promise<Scoring | null> {
    const [scoring] = await this.db.select<Scoring>(companyId, FIND_SCORING, [id]);
    return scoring ?? null;
  }

  async isStreamed(companyId: number, runId: string): Promise<boolean> {
    const found = await this.db.select(companyId, STREAMED_SCORING, [runId]);
    return found.length > 0;
  }

  own(companyId: number, runId: string): Promise<Scoring | null> {
    return this.db.withCompany({ companyId }, (tx) => this.ofRun(tx, runId));
  }

  async ofRun(tx: Tx, runId: string): Promise<Scoring | null> {
    const [scoring] = await tx.query<Scoring>(OWN_SCORING, [tx.companyId, runId]);
    return scoring ?? null;
  }

  /** Within the transaction that writes scores; throws when the scoring has begun anew. */
  async advance(tx: Tx, { id, revision }: Scoring, position: number, count: number): Promise<void> {
    const moved = await tx.query(ADVANCE_SCORING, [tx.companyId, id, revision, position, count]);
    if (moved.length === 0) throw new ScoringChanged();
  }

  /** False when an expectation was overridden meanwhile, or the scoring began anew, so that it continues. */
  async finish(job: Job, scoring: Scoring): Promise<boolean> {
    let ended = false;
    await this.runs.writes.fenced(
      job,
      scoring.run_id,
      async (tx, run) => {
        ended = await this.end(tx, run, scoring);
        return ended && scoring.is_streamed ? [this.completedEvent(run)] : [];
      },
      { evenEnded: true },
    );
    return ended;
  }

  /** What was scored stays, and the next scoring continues with it. */
  async fail(job: Job, scoring: Scoring): Promise<void> {
    await this.runs.writes.fenced(
      job,
      scoring.run_id,
      async (tx, run) => {
        await this.set(tx, scoring, FAIL_SCORING);
        this.wakeConductor(tx, run, scoring);
        return scoring.is_streamed ? [this.completedEvent(run)] : [];
      },
      { evenEnded: true },
    );
  }

  /** Ends the scoring that a run began by itself, which judges nothing more; the next scoring continues with it. */
  async stop(tx: Tx, runId: string): Promise<void> {
    await tx.query(STOP_SCORING, [tx.companyId, runId]);
  }

  /** The stream of a completed run follows its scoring: it has one end, so that of its execution is replaced. */
  async stream(job: Job, scoring: Scoring): Promise<void> {
    if (scoring.is_streamed || scoring.criteria_key !== '') return;
    await this.runs.writes.fenced(
      job,
      scoring.run_id,
      async (tx, run) => {
        if (run.status !== 'COMPLETED' || !(await this.set(tx, scoring, STREAM_SCORING))) return [];
        scoring.is_streamed = true;
        await forgetEvents(tx, run.id);
        return [];
      },
      { evenEnded: true },
    );
  }

  private async end(tx: Tx, run: LockedTestRun, scoring: Scoring): Promise<boolean> {
    const isMain = scoring.criteria_key === '';
    if (isMain && (await this.isOverridden(tx, run.id))) {
      await this.set(tx, scoring, RESTART_SCORING);
      return false;
    }
    if (!(await this.set(tx, scoring, END_SCORING))) return false;
    if (isMain && !scoring.is_partial && run.status === 'COMPLETED') await this.summaries.sumUp(tx, run, scoring);
    this.wakeConductor(tx, run, scoring);
    return true;
  }

  private async set(tx: Tx, { id, revision }: Scoring, change: Statement<'transaction'>): Promise<boolean> {
    const changed = await tx.query(change, [tx.companyId, id, revision]);
    return changed.length > 0;
  }

  /** True when an item was overridden after it was scored. */
  private async isOverridden(tx: Tx, runId: string): Promise<boolean> {
    const found = await tx.query(OVERRIDDEN_ITEM, [tx.companyId, runId]);
    return found.length > 0;
  }

  private wakeConductor(tx: Tx, { status, executed, work_kind, id }: LockedTestRun, { is_partial }: Scoring): void {
    if (status === 'RUNNING' && executed && !is_partial) tx.addWork(work_kind, id);
  }

  private completedEvent({ no, completed_items, failed_items }: LockedTestRun) {
    return { event: { type: 'run.completed', data: { run_id: no, completed: completed_items, failed: failed_items } } };
  }
}
