import type { Pool } from 'pg';

/** Reachable in one step or several between two polls. */
const LATER: Record<string, readonly string[]> = {
  QUEUED: ['RUNNING', 'WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'],
  RUNNING: ['WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'],
  WAITING_WEBHOOK: ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: [],
  TIMED_OUT: [],
  CANCELLED: [],
};

interface Snapshot {
  id: string;
  status: string;
  /** Never changes after the run has ended. */
  end: string | null;
  /** Numbers that only grow. */
  [growing: string]: number | string | null;
}

export interface WatchedRuns {
  noun: string;
  growing: readonly string[];
  query: string;
}

const TASKS: WatchedRuns = {
  noun: 'task',
  growing: ['last_seq', 'iterations', 'steps'],
  query: `SELECT t.id, t.status, t.last_seq, t.iterations,
      (SELECT count(*)::int FROM agents.task_steps s WHERE s.company_id = t.company_id AND s.task_id = t.id) AS steps,
      CASE WHEN t.completed_at IS NULL THEN NULL
        ELSE md5(concat_ws('|', t.status, t.completed_at, t.output, t.error_code, t.error_message)) END AS end
    FROM agents.tasks t WHERE t.company_id = $1`,
};

const POLL_MS = 250;

export function faultsBetween(before: Snapshot, now: Snapshot, { noun, growing } = TASKS): string[] {
  const faults: string[] = [];
  const name = `${noun} ${now.id}`;
  if (before.status !== now.status && !LATER[before.status]?.includes(now.status))
    faults.push(`${name} was ${before.status} and became ${now.status}`);
  for (const what of growing)
    if (Number(now[what]) < Number(before[what]))
      faults.push(`${what} of ${name} decreased from ${before[what]} to ${now[what]}`);
  if (before.end !== null && before.end !== now.end) faults.push(`the end of ${name} was changed afterwards`);
  return faults;
}

/** Polls every run of a company and records transitions that no state table allows. */
export class StateWatch {
  readonly faults: string[] = [];
  looks = 0;
  private readonly seen = new Map<string, Snapshot>();
  private readonly stopped = new AbortController();
  private readonly watching: Promise<void>;

  constructor(
    private readonly sql: Pool,
    private readonly companyId: number,
    private readonly watched: WatchedRuns = TASKS,
  ) {
    this.watching = this.watch();
  }

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
    const { rows } = await this.sql.query<Snapshot>(this.watched.query, [this.companyId]);
    this.looks += 1;
    const left = new Set(this.seen.keys());
    for (const row of rows) {
      const before = this.seen.get(row.id);
      if (before) this.faults.push(...faultsBetween(before, row, this.watched));
      this.seen.set(row.id, row);
      left.delete(row.id);
    }
    for (const id of left) this.faults.push(`${this.watched.noun} ${id} existed and is gone`);
    left.forEach((id) => this.seen.delete(id));
  }
}
