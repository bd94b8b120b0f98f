import { Injectable } from '@nestjs/common';
import type { MonitorRunSummary, SourceType, TargetType } from '@signalbox/contracts';
import { arrayParameter, type ArrayType, Database, NOW_MS, type Tx } from '@signalbox/database';
import { IS_BUDGET_SPENT } from '../budgets/index.js';
import { OUTCOME_TYPES, outcomeArrays, PendingRuns } from '../judging/index.js';
import { type JudgingTarget, type NewRun, runsOf, type Source } from './new-runs.js';
import { monitorJobs } from '../jobs.js';

/** The version that judges production: of the default release, else the latest. */
const IS_STANDING = '(CASE WHEN l.id IS NULL THEN v.is_latest ELSE v.id = l.version_id END)';
const RUNNER = `v.snapshot->'config'->'runner'`;

const TARGETS = `SELECT x.id, x.target_id, x.monitor_id, x.sample_rate, v.id AS version_id, v.version_number,
    ${RUNNER}->>'resource_type' AS runner_type, ${RUNNER}->>'resource_id' AS runner_ref_id,
    CASE WHEN ${RUNNER}->>'resource_type' = 'direct' THEN v.snapshot->'config' END AS config,
    NOT ${IS_STANDING} AS shadow, CASE WHEN v.id = l.version_id THEN l.name END AS release,
    GREATEST(t.activated_at, x.date_created) AS since
  FROM monitors.monitor_targets x
  JOIN monitors.monitors t ON t.company_id = x.company_id AND t.id = x.monitor_id
  LEFT JOIN monitors.monitor_releases l ON l.company_id = t.company_id AND l.monitor_id = t.id AND l.is_default AND l.deleted_at IS NULL
  JOIN monitors.monitor_versions v ON v.company_id = t.company_id AND v.monitor_id = t.id
    AND (${IS_STANDING} OR v.version_number = t.shadow_version)
  WHERE x.company_id = $1 AND x.target_type = $2 AND x.target_id = ANY($3::int[]) AND x.enabled AND x.sample_rate > 0
    AND x.deleted_at IS NULL AND t.deleted_at IS NULL AND t.status = 'ACTIVE'
    AND NOT ${IS_BUDGET_SPENT}`;

const WATCHING = `SELECT DISTINCT t.company_id FROM monitors.monitors t
  JOIN monitors.monitor_targets x ON x.company_id = t.company_id AND x.monitor_id = t.id
  WHERE t.company_id = ANY($2::int[]) AND t.status = 'ACTIVE' AND t.deleted_at IS NULL
    AND x.target_type = $1 AND x.deleted_at IS NULL`;

/**
 * A run that exists already, because its event was delivered under another id, is left as it is. What the runs of a target
 * have in common is sent once for each target (`x`), as are their jobs (`j`).
 */
const INSERT = `INSERT INTO monitors.monitor_runs AS t (company_id, monitor_id, monitor_target_id, monitor_version_id,
    version_number, runner_type, runner_ref_id, shadow, release, batch, source_type, source_id, date_created,
    outcome, failure_class, error_message, resolution_trace, runner_output, runner_duration_ms, cost, attempts)
  SELECT $1, ($3::int[])[x], ($4::int[])[x], ($5::int[])[x], ($6::text[])[x], ($7::text[])[x], ($8::text[])[x],
    ($9::boolean[])[x], ($10::text[])[x], ($11::text[])[j]::uuid, $2, s, (SELECT ${NOW_MS}),
    o, c, e, y, p, d, z, (o IS NOT NULL)::int
  FROM unnest($12::int[], $13::int[], $14::text[], ${OUTCOME_TYPES.map((type, at) => `$${at + 15}::${type}`).join(', ')})
    u(x, j, s, o, c, e, y, p, d, z)
  ON CONFLICT (company_id, source_type, source_id, monitor_target_id, monitor_version_id) DO NOTHING
  RETURNING t.id, t.source_id, t.monitor_target_id, t.monitor_version_id, t.date_created`;

/**
 * Turns production sources into runs.
 *
 * SQL: the targets of a batch of sources are found by one statement, and its runs are inserted by one, with the outcomes
 * of those that are judged already. Which companies watch anything is read by the worker role, which sees no content of
 * monitors.
 */
@Injectable()
export class Samples {
  constructor(
    private readonly db: Database,
    private readonly pending: PendingRuns,
  ) {}

  /** The runs of sources, each rolled once for each of its targets. */
  async roll(tx: Tx, targetType: TargetType, type: SourceType, sources: readonly Source[]): Promise<NewRun[]> {
    if (sources.length === 0) return [];
    const targetIds = [...new Set(sources.map(({ targetId }) => targetId))];
    return runsOf(await tx.query<JudgingTarget>(TARGETS, [tx.companyId, targetType, targetIds]), type, sources);
  }

  /** The same in a separate transaction. */
  rollFor(companyId: number, targetType: TargetType, type: SourceType, sources: readonly Source[]): Promise<NewRun[]> {
    return this.db.withCompany({ companyId }, (tx) => this.roll(tx, targetType, type, sources));
  }

  /** Inserts runs: those that are judged with their outcome, the others with the job that judges them. */
  async add(tx: Tx, sourceType: SourceType, runs: readonly NewRun[]): Promise<void> {
    if (runs.length === 0) return;
    const added = addedOf(runs, await tx.query<InsertedRow>(INSERT, [tx.companyId, sourceType, ...columnsOf(runs)]));
    for (const { run } of added) if (!run.outcome) tx.addJob(jobOf(run.target), { batch: run.batch });
    await this.pending.inserted(tx, judgedOf(sourceType, added));
  }

  /** Which of the companies watch a kind of target. */
  async watchingCompanies(targetType: TargetType, companyIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.db.asWorker<{ company_id: number }>(WATCHING, [targetType, companyIds]);
    return new Set(rows.map(({ company_id }) => company_id));
  }
}

/** What the database adds to a run; the key by which the run is found again. */
interface InsertedRow {
  id: number;
  source_id: string;
  monitor_target_id: number;
  monitor_version_id: number;
  date_created: number;
}

/** A run with its row. */
interface AddedRun {
  run: NewRun;
  row: InsertedRow;
}

/** The runs that were inserted; others exist already. */
function addedOf(runs: readonly NewRun[], rows: readonly InsertedRow[]): AddedRun[] {
  const byKey = new Map<string, NewRun>();
  // Of two runs with one key, for an event that came twice, the first is inserted.
  for (const run of runs.toReversed()) byKey.set(`${run.target.id} ${run.target.version_id} ${run.sourceId}`, run);
  const added: AddedRun[] = [];
  for (const row of rows) {
    const run = byKey.get(`${row.monitor_target_id} ${row.monitor_version_id} ${row.source_id}`);
    if (run) added.push({ run, row });
  }
  return added;
}

/** Those of the runs that have an outcome, as they are read. */
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

/** The place of each value among the different ones, from 1 on. */
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

/** The parameters of the insertion from the third on. */
function columnsOf(runs: readonly NewRun[]): unknown[] {
  const targets = new Places<JudgingTarget>();
  const jobs = new Places<string>();
  const ofTarget = runs.map(({ target }) => targets.of(target));
  const ofJob = runs.map(({ batch }) => jobs.of(batch));
  const each = (type: ArrayType, of: (target: JudgingTarget) => string | number | boolean | null) =>
    arrayParameter(type, targets.values.map(of));
  return [
    each('int', ({ monitor_id }) => monitor_id),
    each('int', ({ id }) => id),
    each('int', ({ version_id }) => version_id),
    each('text', ({ version_number }) => version_number),
    each('text', ({ runner_type }) => runner_type),
    each('text', ({ runner_ref_id }) => runner_ref_id),
    each('boolean', ({ shadow }) => shadow),
    each('text', ({ release }) => release),
    arrayParameter('text', jobs.values),
    arrayParameter('int', ofTarget),
    arrayParameter('int', ofJob),
    arrayParameter(
      'text',
      runs.map(({ sourceId }) => sourceId),
    ),
    ...outcomeArrays(runs.map(({ outcome }) => outcome)),
  ];
}

/** Slow judges hold no direct ones up. */
const jobOf = ({ runner_type }: Pick<JudgingTarget, 'runner_type'>) =>
  runner_type === 'direct' ? monitorJobs.judgeByConditions : monitorJobs.judgeByModel;
