import type { Pool } from 'pg';

/** The states reachable from each state, in one step or several, between two polls. */
const LATER: Record<string, readonly string[]> = {
  QUEUED: ['RUNNING', 'WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'CANCELLED'],
  RUNNING: ['WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'CANCELLED'],
  WAITING_WEBHOOK: ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: [],
  CANCELLED: [],
};

interface Snapshot {
  id: string;
  status: string;
  /** Numbers that only grow. */
  last_seq: number;
  iterations: number;
  steps: number;
  /** Fields that never change after a task has ended. */
  end: string | null;
}

const GROWING = ['last_seq', 'iterations', 'steps'] as const;
const POLL_MS = 250;

/** Violations between two successive snapshots of a task. */
export function faultsBetween(before: Snapshot, now: Snapshot): string[] {
  const faults: string[] = [];
  const name = `task ${now.id}`;
  if (before.status !== now.status && !LATER[before.status]?.includes(now.status))
    faults.push(`${name} was ${before.status} and became ${now.status}`);
  for (const what of GROWING)
    if (now[what] < before[what]) faults.push(`${what} of ${name} decreased from ${before[what]} to ${now[what]}`);
  if (before.end !== null && before.end !== now.end) faults.push(`the end of ${name} was changed afterwards`);
  return faults;
}

/** Polls every task of a company, and records each transition that no table of states allows. */
export class StateWatch {
  readonly faults: string[] = [];
  looks = 0;
  private readonly seen = new Map<string, Snapshot>();
  private readonly stopped = new AbortController();
  private readonly watching: Promise<void>;

  constructor(
    private readonly sql: Pool,
    private readonly companyId: number,
  ) {
    this.watching = this.watch();
  }

  /** Takes a last snapshot and stops. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.watching;
    await this.poll();
  }

  private async watch(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      // The database is one of the victims.
      await this.poll().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  private async poll(): Promise<void> {
    const { rows } = await this.sql.query<Snapshot>(
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
    for (const id of left) this.faults.push(`task ${id} existed and is gone`);
    left.forEach((id) => this.seen.delete(id));
  }
}
