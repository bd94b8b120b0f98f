import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { MAX_READ_SOURCES, type RunnerType, type SourceType, type TargetType } from '@signalbox/contracts';
import { arrayParameter, Database, type Tx } from '@signalbox/database';
import { IS_BUDGET_SPENT } from '../runs/budget.js';
import { DIRECT_WORK, JUDGE_WORK } from '../judging/judging-work.js';
import { isSampled, isWatched } from './sample.js';

/** A production source of a target. */
export interface Source {
  targetId: number;
  sourceId: string;
  /** When its event was emitted, by the clock of its service. */
  occurredAt: number;
}

/** A version of a monitor that judges sources of a target. */
interface JudgingTarget {
  id: number;
  target_id: number;
  monitor_id: number;
  sample_rate: number;
  version_id: number;
  version_number: string;
  runner_type: RunnerType;
  runner_ref_id: string | null;
  shadow: boolean;
  /** The release that names the version; null for the latest and a shadow version. */
  release: string | null;
  /** Since when the monitor watches the target. */
  since: number;
}

interface NewRun {
  target: JudgingTarget;
  sourceId: string;
  batch: string;
}

/** The version that judges production: of the default release, else the latest. */
const IS_STANDING = '(v.id = l.version_id OR (l.id IS NULL AND v.is_latest))';

const TARGETS = `SELECT x.id, x.target_id, x.monitor_id, x.sample_rate, v.id AS version_id, v.version_number,
    v.snapshot->'config'->'runner'->>'resource_type' AS runner_type, v.snapshot->'config'->'runner'->>'resource_id' AS runner_ref_id,
    NOT ${IS_STANDING} AS shadow, CASE WHEN v.id = l.version_id THEN l.name END AS release, GREATEST(t.activated_at, x.date_created) AS since
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
 * Turns production sources into runs that are to be judged.
 *
 * SQL: the targets of a batch of sources are found by one statement, and its runs are inserted by one. Which companies
 * watch anything is read by the worker role, which sees no content of monitors.
 */
@Injectable()
export class Samples {
  constructor(private readonly db: Database) {}

  /** Rolls each source once for each of its targets, and adds a run for each version that judges the target. */
  async add(tx: Tx, targetType: TargetType, sourceType: SourceType, sources: readonly Source[]): Promise<void> {
    if (sources.length === 0) return;
    const targets = await tx.query<JudgingTarget>(TARGETS, [
      tx.companyId,
      targetType,
      [...new Set(sources.map(({ targetId }) => targetId))],
    ]);
    const runs: NewRun[] = [];
    for (let at = 0; at < sources.length; at += MAX_READ_SOURCES)
      runs.push(...runsOf(targets, sourceType, sources.slice(at, at + MAX_READ_SOURCES)));
    await this.insert(tx, sourceType, runs);
  }

  /** Which of the companies watch a kind of target. */
  async watchingCompanies(targetType: TargetType, companyIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.db.asWorker<{ company_id: number }>(WATCHING, [targetType, companyIds]);
    return new Set(rows.map(({ company_id }) => company_id));
  }

  /** A run that exists already, because its event was delivered under another id, is left as it is. */
  private async insert(tx: Tx, sourceType: SourceType, runs: readonly NewRun[]): Promise<void> {
    if (runs.length === 0) return;
    const texts = (of: (run: NewRun) => string | null) => arrayParameter('text', runs.map(of));
    const ints = (of: (run: NewRun) => number) => arrayParameter('int', runs.map(of));
    const added = await tx.query<{ batch: string; direct: boolean }>(
      `WITH added AS (
         INSERT INTO monitors.monitor_runs (company_id, monitor_id, monitor_target_id, monitor_version_id, version_number,
           source_type, source_id, runner_type, runner_ref_id, shadow, batch, release)
         SELECT $1, m, x, v, n, $2, s, r, f, h, b::uuid, l
         FROM unnest($3::int[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::boolean[], $11::text[],
             $12::text[]) u(m, x, v, n, s, r, f, h, b, l)
         ON CONFLICT DO NOTHING RETURNING batch, runner_type)
       SELECT DISTINCT batch, runner_type = 'direct' AS direct FROM added`,
      [
        tx.companyId,
        sourceType,
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
      ],
    );
    for (const { batch, direct } of added) tx.addWork(direct ? DIRECT_WORK : JUDGE_WORK, batch);
  }
}

/** The runs of sources that one job may read at once; a judgement by a model is a job of its own. */
function runsOf(targets: readonly JudgingTarget[], sourceType: SourceType, sources: readonly Source[]): NewRun[] {
  const directBatch = randomUUID();
  return sources.flatMap(({ targetId, sourceId, occurredAt }) =>
    targets
      .filter(
        (target) =>
          target.target_id === targetId &&
          isWatched(target.since, occurredAt) &&
          isSampled(target.sample_rate, sourceType, sourceId, target.id),
      )
      .map((target) => ({ target, sourceId, batch: target.runner_type === 'direct' ? directBatch : randomUUID() })),
  );
}
