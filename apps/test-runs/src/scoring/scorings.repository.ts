import { Injectable } from '@nestjs/common';
import type { Caller, ScoringStatus } from '@signalbox/contracts';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { forgetEvents, type LockedTestRun, TestRunRows, TestRuns } from '../run-records/index.js';
import { criteriaKey, type Criterion, definitionsSha256 } from '../judging/index.js';
import { CRITERIA, SCORABLE } from './run-scores.repository.js';
import { ScoreSummaries } from './score-summaries.repository.js';

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
  /** Whether items of the run have not ended. */
  isPartial: boolean;
}

const COLUMNS = `c.id, c.run_id, c.criteria_key, c.criteria_ids, c.criteria, c.definitions_sha256, c.is_partial, c.status,
  c.revision, c.after_position, c.scored, c.total, c.is_streamed`;

/** A scoring began anew or was ended while its worker scored items. */
export class ScoringChanged extends Error {}

/**
 * The scorings of runs: one for the criteria of the run, and one for each set of other criteria.
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

  /** Begins or continues a scoring on behalf of a caller; returns its id. */
  begin(caller: Caller, no: number, criteria: readonly number[] | null): Promise<{ scoring_id: number }> {
    return this.db.withCompany(caller, async (tx) => {
      const run = await this.rows.lock(tx, no);
      const scoring_id = await this.beginIn(tx, run, { criteria, isPartial: run.status !== 'COMPLETED' });
      const after = { criteria_ids: criteria ?? run.criteria_ids };
      tx.audit({ action: 'score', resource_type: 'test_run', resource_id: String(no), before: null, after });
      return { scoring_id };
    });
  }

  /**
   * Begins the scoring of a locked run. One that is under way is continued, unless its criteria have changed or it covers
   * less than it has to.
   */
  async beginIn(tx: Tx, run: LockedTestRun, { criteria: given, isPartial }: ScoringRequest): Promise<number> {
    const key = criteriaKey(run.criteria_ids, given);
    const ids = key === '' || given === null ? run.criteria_ids : [...given];
    const criteria = ids.length > 0 ? await tx.query<Criterion>(CRITERIA('$1'), [tx.companyId, ids]) : [];
    const sha256 = definitionsSha256(criteria);
    const [found] = await tx.query<Scoring>(
      `SELECT ${COLUMNS} FROM "test-runs".scorings c WHERE c.company_id = $1 AND c.run_id = $2 AND c.criteria_key = $3`,
      [tx.companyId, run.id, key],
    );
    const covers = found && (isPartial || !found.is_partial);
    if (found?.status === 'SCORING' && found.definitions_sha256 === sha256 && covers) return found.id;
    const [begun] = await tx.query<{ id: number }>(
      `INSERT INTO "test-runs".scorings AS c (company_id, run_id, criteria_key, criteria_ids, criteria, definitions_sha256, is_partial,
         status, total)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'SCORING', (SELECT count(*)::int FROM "test-runs".run_items i
         WHERE i.company_id = $1 AND i.run_id = $2 AND (${SCORABLE})))
       ON CONFLICT (company_id, run_id, criteria_key) DO UPDATE SET criteria = EXCLUDED.criteria, status = 'SCORING',
         definitions_sha256 = EXCLUDED.definitions_sha256, is_partial = EXCLUDED.is_partial, total = EXCLUDED.total, scored = 0,
         after_position = -1, revision = c.revision + 1, date_updated = ${NOW_MS} RETURNING c.id`,
      [tx.companyId, run.id, key, ids, JSON.stringify(criteria), sha256, isPartial],
    );
    const id = begun?.id ?? 0;
    // Scores by other definitions are about to be mixed with those in force.
    if (key === '')
      await tx.query(
        `UPDATE "test-runs".runs SET scored_with = NULL
         WHERE company_id = $1 AND id = $2 AND scored_with->>'definitions_sha256' <> $3`,
        [tx.companyId, run.id, sha256],
      );
    tx.addWork(SCORE_WORK, `${run.id}/${id}`);
    return id;
  }

  /** A scoring; null when its run was deleted or executes items again. */
  async load(companyId: number, id: number): Promise<Scoring | null> {
    const [scoring] = await this.db.select<Scoring>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${COLUMNS} FROM "test-runs".scorings c
         WHERE c.company_id = s.company AND c.id = $2 OFFSET 0) x`,
      [id],
    );
    return scoring ?? null;
  }

  async isStreamed(companyId: number, runId: string): Promise<boolean> {
    const found = await this.db.select(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT 1 AS found FROM "test-runs".scorings c WHERE c.company_id = s.company
         AND c.run_id = $2 AND c.criteria_key = '' AND c.status = 'SCORING' AND c.is_streamed OFFSET 0) x`,
      [runId],
    );
    return found.length > 0;
  }

  /** The scoring by the criteria of a run; null when there is none. */
  own(companyId: number, runId: string): Promise<Scoring | null> {
    return this.db.withCompany({ companyId }, (tx) => this.ofRun(tx, runId));
  }

  /** The scoring by the criteria of a locked run, unless there was none. */
  async ofRun(tx: Tx, runId: string): Promise<Scoring | null> {
    const [scoring] = await tx.query<Scoring>(
      `SELECT ${COLUMNS} FROM "test-runs".scorings c WHERE c.company_id = $1 AND c.run_id = $2 AND c.criteria_key = ''`,
      [tx.companyId, runId],
    );
    return scoring ?? null;
  }

  /** Moves a scoring on within the transaction that writes scores; throws when it has begun anew. */
  async advance(tx: Tx, { id, revision }: Scoring, position: number, count: number): Promise<void> {
    const moved = await tx.query(
      `UPDATE "test-runs".scorings SET after_position = GREATEST(after_position, $4), scored = LEAST(scored + $5, total),
         date_updated = ${NOW_MS} WHERE company_id = $1 AND id = $2 AND revision = $3 AND status = 'SCORING' RETURNING 1`,
      [tx.companyId, id, revision, position, count],
    );
    if (moved.length === 0) throw new ScoringChanged();
  }

  /**
   * Ends a scoring whose items are all scored. False when an expectation was overridden meanwhile, or the scoring began
   * anew, so that it continues.
   */
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

  /** Ends a scoring that has failed too often; what was scored stays, and the next one continues with it. */
  async fail(job: Job, scoring: Scoring): Promise<void> {
    await this.runs.writes.fenced(
      job,
      scoring.run_id,
      async (tx, run) => {
        await this.set(tx, scoring, `status = 'FAILED'`);
        this.wakeConductor(tx, run, scoring);
        return scoring.is_streamed ? [this.completedEvent(run)] : [];
      },
      { evenEnded: true },
    );
  }

  /** The stream of a completed run follows its scoring: it has one end, so that of its execution is replaced. */
  async stream(job: Job, scoring: Scoring): Promise<void> {
    if (scoring.is_streamed || scoring.criteria_key !== '') return;
    await this.runs.writes.fenced(
      job,
      scoring.run_id,
      async (tx, run) => {
        if (run.status !== 'COMPLETED' || !(await this.set(tx, scoring, 'is_streamed = true'))) return [];
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
      await this.set(tx, scoring, 'after_position = -1, scored = 0, revision = revision + 1');
      return false;
    }
    if (!(await this.set(tx, scoring, `status = 'SCORED', scored = total, is_streamed = false`))) return false;
    if (isMain && !scoring.is_partial && run.status === 'COMPLETED') await this.summaries.sumUp(tx, run, scoring);
    this.wakeConductor(tx, run, scoring);
    return true;
  }

  private async set(tx: Tx, { id, revision }: Scoring, values: string): Promise<boolean> {
    const changed = await tx.query(
      `UPDATE "test-runs".scorings SET ${values}, date_updated = ${NOW_MS}
       WHERE company_id = $1 AND id = $2 AND revision = $3 AND status = 'SCORING' RETURNING 1`,
      [tx.companyId, id, revision],
    );
    return changed.length > 0;
  }

  /** Whether the override of a scored item is another one than its score has used. */
  private async isOverridden(tx: Tx, runId: string): Promise<boolean> {
    const found = await tx.query(
      `SELECT 1 FROM "test-runs".run_items i
       JOIN "test-runs".run_scores c ON c.company_id = i.company_id AND c.id = i.score_id
       JOIN "test-runs".test_set_items t ON t.company_id = i.company_id AND t.id = i.test_set_item_id AND t.deleted_at IS NULL
       WHERE i.company_id = $1 AND i.run_id = $2 AND (${SCORABLE}) AND t.response_sub_id IS DISTINCT FROM c.response_sub_id LIMIT 1`,
      [tx.companyId, runId],
    );
    return found.length > 0;
  }

  private wakeConductor(tx: Tx, { status, executed, work_kind, id }: LockedTestRun, { is_partial }: Scoring): void {
    if (status === 'RUNNING' && executed && !is_partial) tx.addWork(work_kind, id);
  }

  private completedEvent({ no, completed_items, failed_items }: LockedTestRun) {
    return { event: { type: 'run.completed', data: { run_id: no, completed: completed_items, failed: failed_items } } };
  }
}
