import { Injectable } from '@nestjs/common';
import type {
  CheckErrorCode,
  CheckStatus,
  FailureClass,
  JudgedOutcome,
  MonitorConfig,
  MonitorOutcome,
  TargetType,
} from '@signalbox/contracts';
import { arrayParameter, Database, NOW_MS } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { Budgets } from '../budgets/index.js';

/** A check that is not completed, with what judges its items. */
export interface OpenCheck {
  id: number;
  monitor_id: number;
  test_set_id: number;
  status: CheckStatus;
  config: MonitorConfig;
  /** The kinds of the targets of the monitor. */
  target_types: TargetType[];
}

/** An item as it is when its check begins. */
export interface NewCheckItem {
  test_set_item_id: number;
  position: number;
  expected_outcome: JudgedOutcome | null;
}

/** An item with its outcome. */
export interface JudgedItem {
  test_set_item_id: number;
  outcome: MonitorOutcome;
  failure_class: FailureClass | null;
  error_code: CheckErrorCode | null;
  /** US dollars of all tries; null when it is not known. */
  cost: number | null;
}

/**
 * The items of checks.
 *
 * SQL: items are added and stored in bulk, under the fence of the job of their check.
 */
@Injectable()
export class CheckItems {
  constructor(
    private readonly db: Database,
    private readonly budgets: Budgets,
  ) {}

  /** The check of a job; null when it is completed. */
  async open({ companyId, ref }: Job): Promise<OpenCheck | null> {
    const [check] = await this.db.select<OpenCheck>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT t.id, t.monitor_id, t.test_set_id, t.status, v.snapshot->'config' AS config,
           ARRAY(SELECT DISTINCT x.target_type FROM monitors.monitor_targets x WHERE x.company_id = t.company_id
             AND x.monitor_id = t.monitor_id AND x.deleted_at IS NULL) AS target_types
         FROM monitors.monitor_checks t JOIN monitors.monitor_versions v ON v.company_id = t.company_id AND v.id = t.monitor_version_id
         WHERE t.company_id = s.company AND t.id = $2 AND t.status <> 'COMPLETED' OFFSET 0) r`,
      [Number(ref)],
    );
    return check ?? null;
  }

  /** Adds the items of a check, which is RUNNING from now on. */
  async begin(job: Job, items: readonly NewCheckItem[]): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      const ints = (of: (item: NewCheckItem) => number) => arrayParameter('int', items.map(of));
      const expected = arrayParameter(
        'text',
        items.map(({ expected_outcome }) => expected_outcome),
      );
      await tx.query(
        `WITH added AS (INSERT INTO monitors.monitor_check_items (company_id, check_id, test_set_item_id, position, expected_outcome)
           SELECT $1, $2::int, i, p, e FROM unnest($3::int[], $4::int[], $5::text[]) u(i, p, e) ON CONFLICT DO NOTHING RETURNING 1)
         UPDATE monitors.monitor_checks SET status = 'RUNNING', total = (SELECT count(*) FROM added), date_updated = ${NOW_MS}
         WHERE company_id = $1 AND id = $2::int AND status = 'CREATED'`,
        [
          tx.companyId,
          Number(job.ref),
          ints(({ test_set_item_id }) => test_set_item_id),
          ints(({ position }) => position),
          expected,
        ],
      );
    });
  }

  /** The first items without an outcome. */
  pending({ companyId, ref }: Job, limit: number): Promise<NewCheckItem[]> {
    return this.db.select<NewCheckItem>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT x.test_set_item_id, x.position, x.expected_outcome FROM monitors.monitor_check_items x
         WHERE x.company_id = s.company AND x.check_id = $2 AND x.outcome IS NULL
         ORDER BY x.position, x.test_set_item_id LIMIT $3) r`,
      [Number(ref), limit],
    );
  }

  /** Stores outcomes, and counts them and what they have cost. */
  async store(job: Job, { monitor_id }: OpenCheck, judged: readonly JudgedItem[]): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await tx.progressed(job);
      await this.budgets.add(
        tx,
        judged.map(({ cost }) => ({ monitor_id, cost })),
      );
      await tx.query(
        `WITH stored AS (
           UPDATE monitors.monitor_check_items x SET outcome = u.o, failure_class = u.f, error_code = u.e
           FROM unnest($3::int[], $4::text[], $5::text[], $6::text[]) u(i, o, f, e)
           WHERE x.company_id = $1 AND x.check_id = $2::int AND x.test_set_item_id = u.i AND x.outcome IS NULL
           RETURNING x.outcome, x.expected_outcome),
         counted AS (SELECT count(*) FILTER (WHERE outcome = 'ERROR') AS errors,
             count(*) FILTER (WHERE outcome <> 'ERROR' AND outcome = expected_outcome) AS matched,
             count(*) FILTER (WHERE outcome <> 'ERROR' AND outcome IS DISTINCT FROM expected_outcome) AS mismatched FROM stored)
         UPDATE monitors.monitor_checks t SET matched = t.matched + c.matched, mismatched = t.mismatched + c.mismatched,
           error_count = t.error_count + c.errors, cost = COALESCE(t.cost + $7::double precision, t.cost, $7), date_updated = ${NOW_MS}
         FROM counted c WHERE t.company_id = $1 AND t.id = $2::int`,
        [
          tx.companyId,
          Number(job.ref),
          arrayParameter(
            'int',
            judged.map(({ test_set_item_id }) => test_set_item_id),
          ),
          arrayParameter(
            'text',
            judged.map(({ outcome }) => outcome),
          ),
          arrayParameter(
            'text',
            judged.map(({ failure_class }) => failure_class),
          ),
          arrayParameter(
            'text',
            judged.map(({ error_code }) => error_code),
          ),
          sumOf(judged.map(({ cost }) => cost)),
        ],
      );
    });
  }
}

/** The sum of the costs that are known; null when none is. */
export function sumOf(costs: readonly (number | null)[]): number | null {
  const known = costs.filter((cost) => cost !== null);
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}
