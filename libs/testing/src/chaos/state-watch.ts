import type { Pool } from 'pg';

/** Where each state may lead, in one step or several: what a look now and a look later may find. */
const LATER: Record<string, readonly string[]> = {
  QUEUED: ['RUNNING', 'WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'CANCELLED'],
  RUNNING: ['WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'CANCELLED'],
  WAITING_WEBHOOK: ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: [],
  CANCELLED: [],
};

interface Look {
  id: string;
  status: string;
  /** Numbers that only grow. */
  last_seq: number;
  iterations: number;
  steps: number;
  /** What a task that has ended keeps for ever. */
  end: string | null;
}

const GROWING = ['last_seq', 'iterations', 'steps'] as const;
const LOOK_MS = 250;

/** What was wrong with the way from one look at a task to the next. */
export function faultsBetween(before: Look, now: Look): string[] {
  const faults: string[] = [];
  const name = `task ${now.id}`;
  if (before.status !== now.status && !LATER[before.status]?.includes(now.status))
    faults.push(`${name} was ${before.status} and became ${now.status}`);
  for (const what of GROWING)
    if (now[what] < before[what]) faults.push(`${what} of ${name} fell from ${before[what]} to ${now[what]}`);
  if (before.end !== null && before.end !== now.end) faults.push(`the end of ${name} was changed afterwards`);
  return faults;
}

/** Looks at every task of a company again and again, and notes what no table of states allows. */
export class StateWatch {
  readonly faults: string[] = [];
  looks = 0;
  private readonly seen = new Map<string, Look>();
  private readonly stopped = new AbortController();
  private readonly watching: Promise<void>;

  constructor(
    private readonly sql: Pool,
    private readonly companyId: number,
  ) {
    this.watching = this.watch();
  }

  /** Looks once more and no longer. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.watching;
    await this.look();
  }

  private async watch(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      // The database is one of the victims.
      await this.look().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  private async look(): Promise<void> {
    const { rows } = await this.sql.query<Look>(
      `SELECT t.id, t.status, t.last_seq, t.iterations,
         (SELECT count(*)::int FROM agents.task_steps s WHERE s.company_id = t.company_id AND s.task_id = t.id) AS steps,
         CASE WHEN t.completed_at IS NULL THEN NULL
           ELSE md5(concat_ws('|', t.status, t.completed_at, t.output, t.error_code, t.error_message)) END AS end
       FROM agents.tasks t WHERE t.company_id = $1`,
      [this.companyId],
    );
    this.looks += 1;
    const left = new Set(this.seen.keys());
    for (const row of rows) {
      const before = this.seen.get(row.id);
      if (before) this.faults.push(...faultsBetween(before, row));
      this.seen.set(row.id, row);
      left.delete(row.id);
    }
    for (const id of left) this.faults.push(`task ${id} was there and is gone`);
    left.forEach((id) => this.seen.delete(id));
  }
}
