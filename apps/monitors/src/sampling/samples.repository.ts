import { Injectable } from '@nestjs/common';
import type { SourceType, TargetType } from '@signalbox/contracts';
import { arrayParameter, Database, type Tx } from '@signalbox/database';
import { DIRECT_WORK, JUDGE_WORK } from '../judging/judging-work.js';
import { type InsertedRun, PendingRuns } from '../judging/pending-runs.repository.js';
import { OUTCOME_TYPES, outcomeArrays } from '../judging/run-outcome.js';
import { IS_BUDGET_SPENT } from '../runs/budget.js';
import { RUN_FIELDS } from '../runs/runs.repository.js';
import { type JudgingTarget, type NewRun, runsOf, type Source } from './new-runs.js';

/** The version that judges production: of the default release, else the latest. */
const IS_STANDING = '(v.id = l.version_id OR (l.id IS NULL AND v.is_latest))';
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

/** A run that exists already, because its event was delivered under another id, is left as it is. */
const INSERT = `INSERT INTO monitors.monitor_runs AS t (company_id, monitor_id, monitor_target_id, monitor_version_id,
    version_number, source_type, source_id, runner_type, runner_ref_id, shadow, batch, release,
    outcome, failure_class, error_message, resolution_trace, runner_output, runner_duration_ms, cost, attempts)
  SELECT $1, m, x, v, n, $2, s, r, f, h, b::uuid, l, o, c, e, y, p, d, z, (o IS NOT NULL)::int
  FROM unnest($3::int[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::boolean[],
    $11::text[], $12::text[], ${OUTCOME_TYPES.map((type, at) => `$${at + 13}::${type}`).join(', ')})
    u(m, x, v, n, s, r, f, h, b, l, o, c, e, y, p, d, z)
  ON CONFLICT DO NOTHING RETURNING t.batch, ${RUN_FIELDS}`;

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
    const added = await tx.query<InsertedRun>(INSERT, [tx.companyId, sourceType, ...columnsOf(runs)]);
    const open = added.filter(({ outcome }) => outcome === null);
    for (const { batch, runner_type } of open) tx.addWork(runner_type === 'direct' ? DIRECT_WORK : JUDGE_WORK, batch);
    await this.pending.inserted(tx, added);
  }

  /** Which of the companies watch a kind of target. */
  async watchingCompanies(targetType: TargetType, companyIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.db.asWorker<{ company_id: number }>(WATCHING, [targetType, companyIds]);
    return new Set(rows.map(({ company_id }) => company_id));
  }
}

/** The parameters of the insertion from the third on. */
function columnsOf(runs: readonly NewRun[]): unknown[] {
  const texts = (of: (run: NewRun) => string | null) => arrayParameter('text', runs.map(of));
  const ints = (of: (run: NewRun) => number) => arrayParameter('int', runs.map(of));
  return [
    ints(({ target }) => target.monitor_id),
    ints(({ target }) => target.id),
    ints(({ target }) => target.version_id),
    texts(({ target }) => target.version_number),
    texts(({ sourceId }) => sourceId),
    texts(({ target }) => target.runner_type),
    texts(({ target }) => target.runner_ref_id),
    arrayParameter(
      'boolean',
      runs.map(({ target }) => target.shadow),
    ),
    texts(({ batch }) => batch),
    texts(({ target }) => target.release),
    ...outcomeArrays(runs.map(({ outcome }) => outcome)),
  ];
}
