import { ApiError, notFound } from '@signalbox/contracts';
import type { Database, Owner, Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { writeLog } from './run-log.js';
import type { RunNotifications } from '../events/run-notifications.js';
import { type CommittedEvents, type LockedRun, RunEndedError, type RunKind } from '../run-kind.js';
import { lockAncestors, resumeAncestors } from './run-ancestors.js';
import { moveRun } from './run-transitions.js';

const SLICE = 100;

/** SQL: the tables are named by the kind of run, whose row is locked first. */
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
      const names = Object.keys(where);
      const conditions = names.map((name, index) => ` AND t.${name} = $${index + 3}`).join('');
      const [run] = await this.lock(tx, `t.id = $2${conditions}`, [id, ...names.map((name) => where[name])]);
      if (!run) throw notFound(this.kind.noun);
      if (run.status === 'WAITING_WEBHOOK') await resumeAncestors(tx, this.kind, above);
      committed.push(await this.cancelIn(tx, run));
      await this.cancelDescendants(tx, run.id, committed);
      return read(tx);
    });
    this.notifications.publish(committed);
    return result;
  }

  /** All open runs with the given values (which may be null) and their descendants, a transaction each. */
  async cancelOpen(companyId: number, where: Readonly<Record<string, unknown>>): Promise<void> {
    const cancelled = new Set<string>();
    for (;;) {
      const open = await this.openWith(companyId, where);
      const left = open.filter((id) => !cancelled.has(id));
      if (left.length === 0) return;
      for (const id of left) {
        await this.cancel({ companyId }, id, {}, () => Promise.resolve()).catch(unlessEnded);
        cancelled.add(id);
      }
    }
  }

  private async openWith(companyId: number, where: Readonly<Record<string, unknown>>): Promise<string[]> {
    const names = Object.keys(where).filter((name) => where[name] !== null);
    const given = names.map((name, index) => ` AND t.${name} = $${index + 2}`);
    const absent = Object.keys(where).flatMap((name) => (where[name] === null ? [` AND t.${name} IS NULL`] : []));
    const rows = await this.db.select<{ id: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id FROM ${this.kind.tables.runs} t
         WHERE t.company_id = s.company AND t.completed_at IS NULL${[...given, ...absent].join('')} LIMIT ${SLICE} OFFSET 0) x`,
      names.map((name) => where[name]),
    );
    return rows.map(({ id }) => id);
  }

  async cancelQueued({ companyId, ...job }: Job, runId: string, reason: string): Promise<void> {
    const committed = await this.db.withCompany({ companyId }, async (tx) => {
      await tx.requireFence(job);
      const [run] = await this.lock(tx, `t.id = $2 AND t.status = 'QUEUED'`, [runId]);
      if (!run) throw new RunEndedError();
      return this.cancelIn(tx, run, reason);
    });
    this.notifications.publish([committed]);
  }

  private async cancelDescendants(tx: Tx, runId: string, committed: CommittedEvents[]): Promise<void> {
    const { parent } = this.kind.tables;
    for (let parents = parent ? [runId] : []; parents.length > 0;) {
      const children = await this.lock(tx, `t.${parent} = ANY ($2) AND t.completed_at IS NULL`, [parents]);
      for (const child of children) committed.push(await this.cancelIn(tx, child));
      parents = children.map(({ id }) => id);
    }
  }

  private lock(tx: Tx, condition: string, values: unknown[]): Promise<Run[]> {
    const { columns, tables } = this.kind;
    return tx.query<Run>(
      `SELECT ${columns} FROM ${tables.runs} t WHERE t.company_id = $1 AND ${condition} FOR NO KEY UPDATE`,
      [tx.companyId, ...values],
    );
  }

  private async cancelIn(tx: Tx, run: Run, reason: string | null = null): Promise<CommittedEvents> {
    const hook = this.kind.tables.hooks ? { hook_expires_at: null } : {};
    const { status } = await moveRun(tx, this.kind, run, 'cancel' as Trigger, { ...hook, error_message: reason });
    return { id: run.id, events: await writeLog(tx, this.kind, run, [this.kind.eventTemplates.cancelled(status)]) };
  }
}

function unlessEnded(error: unknown): void {
  if (!(error instanceof ApiError) || error.kind !== 'conflict') throw error;
}
