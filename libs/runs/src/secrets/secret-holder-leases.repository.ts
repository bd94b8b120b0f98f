import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { Continuity, forEachCompany, LOGGER, type Logger, workLeaseMs } from '@signalbox/platform';
import { type RunKind } from '../run-kind.js';
import { RUNS } from '../runs.js';
import { holderSql, isHeldSql, sharedKindSql } from './held-kind.js';

const ALIVE = 1 / 2;
/** Share of the lease without a renewal after which a process may have been frozen, and releases no others. */
const GAP = 1 / 3;

const FAILED = 'runs of a company that wait for a callback could not be released';

type HeldRuns = { kind: Pick<RunKind, 'tables' | 'work'> };

interface WaitingRun {
  company_id: number;
  run_id: string;
}

export interface Successor {
  holder: string;
  public_key: string;
}

/**
 * Leases of the processes that hold secrets of runs.
 * SQL: leases are compared with the database clock across companies, by the worker role.
 */
@Injectable()
export class SecretHolderLeases {
  private readonly aliveMs = workLeaseMs() * ALIVE;
  private readonly database = new Continuity(workLeaseMs() * GAP);
  private readonly holders: string;
  private readonly work: string;

  constructor(
    private readonly db: Database,
    @Inject(RUNS) private readonly kinds: readonly HeldRuns[],
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {
    this.holders = `"${db.schema}".secret_holders`;
    this.work = `"${db.schema}".work`;
  }

  private dead(kind: string): string {
    return `NOT EXISTS (SELECT 1 FROM ${this.holders} h
      WHERE h.holder::text = ${holderSql(kind)} AND h.alive_until > now())`;
  }

  /** The first holder can take over secrets of others while it has a public key. */
  async renew(holders: readonly string[], publicKey: string | null): Promise<void> {
    try {
      await this.db.asWorker(
        `INSERT INTO ${this.holders} (holder, alive_until, public_key)
         SELECT h, now() + $3 * interval '1 millisecond', CASE n WHEN 1 THEN $2 END
         FROM unnest($1::uuid[]) WITH ORDINALITY u(h, n) ORDER BY h
         ON CONFLICT (holder) DO UPDATE SET alive_until = EXCLUDED.alive_until, public_key = EXCLUDED.public_key`,
        [holders, publicKey, this.aliveMs],
      );
      this.database.succeeded();
    } catch (error) {
      this.database.failed();
      throw error;
    }
  }

  async release(holders: readonly string[]): Promise<void> {
    await this.db.asWorker(`DELETE FROM ${this.holders} WHERE holder = ANY ($1::uuid[])`, [holders]);
  }

  /** Youngest first: in a deployment the oldest ones stop next. */
  successors(but: readonly string[]): Promise<Successor[]> {
    return this.db.asWorker<Successor>(
      `SELECT holder, public_key FROM ${this.holders}
       WHERE alive_until > now() AND public_key IS NOT NULL AND holder <> ALL ($1::uuid[]) ORDER BY since DESC`,
      [but],
    );
  }

  /**
   * Makes the work of dead holders due for every process; the process that claims it ends the run, whose secrets are
   * lost. Only for a process that has renewed its own lease without a gap: after an outage no lease is valid.
   */
  async releaseDead(stop: AbortSignal): Promise<number> {
    if (!this.database.holds(this.aliveMs)) return 0;
    const rows = await this.db.asWorker(
      `UPDATE ${this.work} w SET kind = ${sharedKindSql('w.kind')}, due_at = now(), fence = w.fence + 1,
         lease_owner = NULL, again_at = NULL
       WHERE w.done_at IS NULL AND ${isHeldSql('w.kind')} AND ${this.dead('w.kind')}
         AND NOT EXISTS (SELECT 1 FROM ${this.work} o
           WHERE o.company_id = w.company_id AND o.ref = w.ref AND o.kind = ${sharedKindSql('w.kind')})
       RETURNING 1 AS moved`,
    );
    await this.db.asWorker(`DELETE FROM ${this.holders} WHERE alive_until < now() - interval '1 hour'`);
    const waiting = await Promise.all(this.kinds.map(({ kind }) => this.releaseWaiting(kind, stop)));
    return rows.length + waiting.reduce((sum, count) => sum + count, 0);
  }

  /** Runs that wait for a callback have no due work. */
  private async releaseWaiting(kind: HeldRuns['kind'], stop: AbortSignal): Promise<number> {
    const { hooks, key } = kind.tables;
    if (!hooks) return 0;
    const waiting = await this.db.asWorker<WaitingRun>(
      `SELECT DISTINCT k.company_id, k.${key} AS run_id FROM ${hooks} k
       WHERE ${isHeldSql('k.work_kind')} AND k.released_at IS NULL AND ${this.dead('k.work_kind')} LIMIT 1000`,
    );
    let released = 0;
    const companies = new Set(waiting.map(({ company_id }) => company_id));
    await forEachCompany(companies, { logger: this.logger, stop, failed: FAILED }, async (companyId) => {
      for (const { run_id } of waiting.filter(({ company_id }) => company_id === companyId)) {
        await this.releaseRun(kind, companyId, run_id);
        released++;
      }
    });
    return released;
  }

  private releaseRun({ tables, work }: HeldRuns['kind'], companyId: number, runId: string): Promise<void> {
    const { runs, hooks, key } = tables;
    return this.db.withCompany({ companyId }, async (tx) => {
      await tx.query(
        `UPDATE ${hooks} SET released_at = now() WHERE company_id = $1 AND ${key} = $2 AND released_at IS NULL`,
        [companyId, runId],
      );
      const open = await tx.query(`SELECT 1 FROM ${runs} WHERE company_id = $1 AND id = $2 AND completed_at IS NULL`, [
        companyId,
        runId,
      ]);
      if (open.length > 0) tx.addWork(work, runId);
    });
  }
}
