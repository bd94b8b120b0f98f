import { Injectable } from '@nestjs/common';
import type { MonitorRunSummary, SourceType, TargetType } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { outcomeArrays, PendingRuns } from '../judging/index.js';
import { monitorJobs } from '../jobs.js';
import { type TargetVersion, type NewRun, runsOf, type Source } from './new-runs.js';
import { TARGETS_TO_SAMPLE, INSERT_RUNS, COMPANIES_THAT_WATCH } from './samples.sql.js';

/**
 * SQL: one statement finds the targets of a batch of sources, and one inserts its runs with the outcomes that exist
 * already. Which companies watch anything is read by the worker role, which sees no content of monitors.
 */
@Injectable()
export class MonitorSampler {
  constructor(
    private readonly db: Database,
    private readonly pending: PendingRuns,
  ) {}

  async roll(tx: Tx, targetType: TargetType, type: SourceType, sources: readonly Source[]): Promise<NewRun[]> {
    if (sources.length === 0) return [];
    const targetIds = [...new Set(sources.map(({ targetId }) => targetId))];
    return runsOf(
      await tx.query<TargetVersion>(TARGETS_TO_SAMPLE, [tx.companyId, targetType, targetIds]),
      type,
      sources,
    );
  }

  /** In a transaction of its own. */
  rollFor(companyId: number, targetType: TargetType, type: SourceType, sources: readonly Source[]): Promise<NewRun[]> {
    return this.db.withCompany({ companyId }, (tx) => this.roll(tx, targetType, type, sources));
  }

  /** Runs without an outcome get a job that judges them. */
  async add(tx: Tx, sourceType: SourceType, runs: readonly NewRun[]): Promise<void> {
    if (runs.length === 0) return;
    const values = [tx.companyId, sourceType, ...columnsOf(runs)];
    const added = addedOf(runs, await tx.query<InsertedRow>(INSERT_RUNS, values));
    for (const { run } of added) if (!run.outcome) tx.addJob(jobOf(run.target), { batch: run.batch });
    await this.pending.emitInserted(tx, judgedOf(sourceType, added));
  }

  async watchingCompanies(targetType: TargetType, companyIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.db.asWorker<{ company_id: number }>(COMPANIES_THAT_WATCH, [targetType, companyIds]);
    return new Set(rows.map(({ company_id }) => company_id));
  }
}

/** What the database adds to a run, with the columns of its key. */
interface InsertedRow {
  id: number;
  source_id: string;
  monitor_target_id: number;
  monitor_version_id: number;
  date_created: number;
}

interface AddedRun {
  run: NewRun;
  row: InsertedRow;
}

/** Leaves out runs that existed already. */
function addedOf(runs: readonly NewRun[], rows: readonly InsertedRow[]): AddedRun[] {
  const byKey = new Map<string, NewRun>();
  // Of two runs with one key, of an event that came twice, the first is inserted.
  for (const run of runs.toReversed()) byKey.set(`${run.target.id} ${run.target.version_id} ${run.sourceId}`, run);
  const added: AddedRun[] = [];
  for (const row of rows) {
    const run = byKey.get(`${row.monitor_target_id} ${row.monitor_version_id} ${row.source_id}`);
    if (run) added.push({ run, row });
  }
  return added;
}

/** The runs with an outcome, as events show them. */
function judgedOf(source_type: SourceType, added: readonly AddedRun[]): MonitorRunSummary[] {
  const judged: MonitorRunSummary[] = [];
  for (const { run, row } of added) {
    const { target, sourceId, outcome } = run;
    if (!outcome) continue;
    judged.push({
      id: row.id,
      monitor_id: target.monitor_id,
      monitor_target_id: target.id,
      monitor_version_id: target.version_id,
      version_number: target.version_number,
      source_type,
      source_id: sourceId,
      runner_type: target.runner_type,
      runner_ref_id: target.runner_ref_id,
      outcome: outcome.outcome,
      failure_class: outcome.failure_class,
      runner_duration_ms: outcome.runner_duration_ms,
      cost: outcome.cost,
      error_message: outcome.error_message,
      shadow: target.shadow,
      date_created: row.date_created,
    });
  }
  return judged;
}

/** Numbers distinct values from 1. */
class Places<T> {
  readonly values: T[] = [];
  private readonly places = new Map<T, number>();

  of(value: T): number {
    const known = this.places.get(value);
    if (known !== undefined) return known;
    this.places.set(value, this.values.push(value));
    return this.values.length;
  }
}

/** The parameters of INSERT_RUNS from the third on. */
function columnsOf(runs: readonly NewRun[]): unknown[] {
  const targets = new Places<TargetVersion>();
  const jobs = new Places<string>();
  const ofTarget = runs.map(({ target }) => targets.of(target));
  const ofJob = runs.map(({ batch }) => jobs.of(batch));
  return [
    targets.values.map(({ monitor_id }) => monitor_id),
    targets.values.map(({ id }) => id),
    targets.values.map(({ version_id }) => version_id),
    targets.values.map(({ version_number }) => version_number),
    targets.values.map(({ runner_type }) => runner_type),
    targets.values.map(({ runner_ref_id }) => runner_ref_id),
    targets.values.map(({ shadow }) => shadow),
    targets.values.map(({ release }) => release),
    jobs.values,
    ofTarget,
    ofJob,
    runs.map(({ sourceId }) => sourceId),
    ...outcomeArrays(runs.map(({ outcome }) => outcome)),
  ];
}

/** Separate kinds of jobs, so that slow judges do not delay direct ones. */
const jobOf = ({ runner_type }: Pick<TargetVersion, 'runner_type'>) =>
  runner_type === 'direct' ? monitorJobs.judgeByConditions : monitorJobs.judgeByModel;
