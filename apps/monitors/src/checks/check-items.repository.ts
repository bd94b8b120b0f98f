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
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { Budgets } from '../budgets/index.js';
import { OPEN_CHECK, BEGIN_CHECK, PENDING_ITEMS, STORE_ITEMS } from './check-items.sql.js';

export interface OpenCheck {
  id: number;
  monitor_id: number;
  test_set_id: number;
  status: CheckStatus;
  /** The monitor was deleted. */
  is_deleted: boolean;
  config: MonitorConfig;
  target_types: TargetType[];
}

export interface NewCheckItem {
  test_set_item_id: number;
  position: number;
  expected_outcome: JudgedOutcome | null;
}

export interface JudgedItem {
  test_set_item_id: number;
  outcome: MonitorOutcome;
  failure_class: FailureClass | null;
  error_code: CheckErrorCode | null;
  /** In US dollars, of all attempts; null when unknown. */
  cost: number | null;
}

/** SQL: items are added and stored in bulk, under the fence of the job of their check. */
@Injectable()
export class CheckItems {
  constructor(
    private readonly db: Database,
    private readonly budgets: Budgets,
  ) {}

  /** Null for a completed check. */
  async open({ companyId, ref }: Job): Promise<OpenCheck | null> {
    const [check] = await this.db.select<OpenCheck>(companyId, OPEN_CHECK, [Number(ref)]);
    return check ?? null;
  }

  async begin(job: Job, items: readonly NewCheckItem[]): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await tx.query(BEGIN_CHECK, [
        tx.companyId,
        Number(job.ref),
        items.map(({ test_set_item_id }) => test_set_item_id),
        items.map(({ position }) => position),
        items.map(({ expected_outcome }) => expected_outcome),
      ]);
    });
  }

  pending({ companyId, ref }: Job, limit: number): Promise<NewCheckItem[]> {
    return this.db.select<NewCheckItem>(companyId, PENDING_ITEMS, [Number(ref), limit]);
  }

  /** Also counts the outcomes and their cost. */
  async store(job: Job, { monitor_id }: OpenCheck, judged: readonly JudgedItem[]): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await tx.progressed(job);
      await this.budgets.add(
        tx,
        judged.map(({ cost }) => ({ monitor_id, cost })),
      );
      await tx.query(STORE_ITEMS, [
        tx.companyId,
        Number(job.ref),
        judged.map(({ test_set_item_id }) => test_set_item_id),
        judged.map(({ outcome }) => outcome),
        judged.map(({ failure_class }) => failure_class),
        judged.map(({ error_code }) => error_code),
        sumOf(judged.map(({ cost }) => cost)),
      ]);
    });
  }
}

/** Null when no cost is known. */
export function sumOf(costs: readonly (number | null)[]): number | null {
  const known = costs.filter((cost) => cost !== null);
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}
