import { ApiError, notFound } from '@signalbox/contracts';
import type { Database, Owner, Statement, Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { writeLog } from './run-log.js';
import type { RunNotifications } from '../events/run-notifications.js';
import { type CommittedEvents, type LockedRun, RunEndedError, type RunKind } from '../run-kind.js';
import { lockAncestors, resumeAncestors } from './run-ancestors.js';
import { moveRun } from './run-transitions.js';

/** SQL: the row of the run is locked first. */
export class RunCancels<Run extends LockedRun, Trigger extends string, RunRecord extends object> {
  constructor(
    private readonly db: Database,
    private readonly notifications: RunNotifications,
    private readonly kind: RunKind<Run, Trigger, RunRecord>,
  ) {}

  /**
   * Cancels a run and all its descendants; their workers are notified at once, and their next write is refused. 404
   * when no run has the id and the values, 409 when it has ended. Returns the result of `read` afterwards.
   */
  async cancel<T>(
    owner: Owner,
    id: string,
    where: Readonly<Record<string, unknown>>,
    read: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const committed: CommittedEvents[] = [];
    const result = await this.db.withCompany(owner, async (tx) => {
      committed.length = 0;
      const above = await lockAncestors(tx, this.kind, id);
      const lock = this.kind.statements.cancels.lock(...Object.keys(where));
      const [run] = await tx.query<Run>(lock, [tx.companyId, id, ...Object.values(where)]);
      if (!run) throw notFound(this.kind.noun);
      if (run.status === 'WAITING_WEBHOOK') await resumeAncestors(tx, this.kind, above);
      committed.push(await this.cancelIn(tx, run));
      await this.cancelDescendants(tx, run.id, committed);
      return read(tx);
    });
    this.notifications.publish(committed);
    return result;
  }

  /** All runs that the statement finds, made by `openRuns`, and their descendants, a transaction each. */
  async cancelOpen(companyId: number, runs: Statement<'read'>, values: unknown[]): Promise<void> {
    const cancelled = new Set<string>();
    for (;;) {
      const open = await this.db.select<{ id: string }>(companyId, runs, values);
      const left = open.map(({ id }) => id).filter((id) => !cancelled.has(id));
      if (left.length === 0) return;
      for (const id of left) {
        await this.cancel({ companyId }, id, {}, () => Promise.resolve()).catch(unlessEnded);
        cancelled.add(id);
      }
    }
  }

  async cancelQueued({ companyId, ...job }: Job, runId: string, reason: string): Promise<void> {
    const committed = await this.db.withCompany({ companyId }, async (tx) => {
      await tx.requireFence(job);
      const [run] = await tx.query<Run>(this.kind.statements.cancels.lockQueued, [companyId, runId]);
      if (!run) throw new RunEndedError();
      return this.cancelIn(tx, run, reason);
    });
    this.notifications.publish([committed]);
  }

  /** All that are open, with their events added to `committed`; the caller has locked the run. */
  async cancelDescendants(tx: Tx, runId: string, committed: CommittedEvents[]): Promise<void> {
    const { lockOpenChildren } = this.kind.statements.cancels;
    if (!lockOpenChildren) return;
    for (let parents = [runId]; parents.length > 0;) {
      const children = await tx.query<Run>(lockOpenChildren, [tx.companyId, parents]);
      for (const child of children) committed.push(await this.cancelIn(tx, child));
      parents = children.map(({ id }) => id);
    }
  }

  private async cancelIn(tx: Tx, run: Run, reason: string | null = null): Promise<CommittedEvents> {
    await this.kind.cancelling?.(tx, run);
    const hook = this.kind.tables.hooks ? { hook_expires_at: null } : {};
    const { status } = await moveRun(tx, this.kind, run, 'cancel' as Trigger, { ...hook, error_message: reason });
    return { id: run.id, events: await writeLog(tx, this.kind, run, [this.kind.eventTemplates.cancelled(status)]) };
  }
}

function unlessEnded(error: unknown): void {
  if (!(error instanceof ApiError) || error.kind !== 'conflict') throw error;
}
