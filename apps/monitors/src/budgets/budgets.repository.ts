import { Injectable } from '@nestjs/common';
import { conflict, type MonitorConfig } from '@signalbox/contracts';
import { arrayParameter, Database, type Tx } from '@signalbox/database';
import { ADD_COSTS, SPENT_UNTIL, TODAY } from './budgets.sql.js';

const DAY_MS = 86_400_000;

/** SQL over a monitor `t`: the cost of its judgements since 00:00 UTC. */
export const COST_TODAY = `COALESCE((SELECT b.cost FROM monitors.monitor_costs b
  WHERE b.company_id = t.company_id AND b.monitor_id = t.id AND b.day = ${TODAY}), 0)`;

/** SQL over a monitor `t` and a version of it: whether today's cost has reached the limit of the version. */
export function isBudgetSpent(version: 'v' | 'w'): string {
  const limit = `(${version}.snapshot->'config'->'limits'->>'max_cost_per_day')::double precision`;
  return `CASE WHEN ${limit} IS NULL THEN false ELSE ${COST_TODAY} >= ${limit} END`;
}

export interface Spent {
  monitor_id: number;
  /** In US dollars; null when unknown. */
  cost: number | null;
}

export interface Budget {
  monitor_id: number;
  limits: MonitorConfig['limits'];
}

/**
 * Cost of monitors per day (UTC): runs with all their attempts, also of shadow versions, checks and previews. Written
 * in the transaction that stores the judgement. SQL: an upsert adds to a counter, so that reading it does not depend on
 * the number of runs.
 */
@Injectable()
export class Budgets {
  constructor(private readonly db: Database) {}

  async add(tx: Tx, spent: readonly Spent[]): Promise<void> {
    const sums = new Map<number, number>();
    for (const { monitor_id, cost } of spent)
      if (cost !== null && cost > 0) sums.set(monitor_id, (sums.get(monitor_id) ?? 0) + cost);
    if (sums.size === 0) return;
    await tx.query(ADD_COSTS, [tx.companyId, [...sums.keys()], arrayParameter('double precision', [...sums.values()])]);
  }

  /** In a transaction of its own, for a judgement that is not stored. */
  async addFor(companyId: number, spent: Spent): Promise<void> {
    if (spent.cost !== null && spent.cost > 0) await this.db.withCompany({ companyId }, (tx) => this.add(tx, [spent]));
  }

  /** When the budget is available again, in epoch milliseconds; null while it is not spent. */
  async spentUntil(companyId: number, { monitor_id, limits }: Budget): Promise<number | null> {
    if (limits.max_cost_per_day == null) return null;
    const [row] = await this.db.select<{ today: number; cost: number }>(companyId, SPENT_UNTIL, [monitor_id]);
    return row && row.cost >= limits.max_cost_per_day ? row.today + DAY_MS : null;
  }

  /** Throws 409 while the budget is spent. */
  async requireOpen(companyId: number, budget: Budget): Promise<void> {
    const until = await this.spentUntil(companyId, budget);
    if (until !== null) throw conflict(`budget exhausted until ${until}`);
  }
}
