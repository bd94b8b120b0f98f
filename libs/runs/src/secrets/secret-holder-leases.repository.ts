import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { Continuity, forEachCompany, LOGGER, type Logger, workLeaseMs } from '@signalbox/platform';
import { type RunKind } from '../run-kind.js';
import { RUNS } from '../runs.js';
import { type HeldHookStatements, type HolderStatements, holderStatements } from './secret-holder-leases.sql.js';

const ALIVE = 1 / 2;
/** Share of the lease without a renewal after which a process may have been frozen, and releases no others. */
const GAP = 1 / 3;

const FAILED = 'runs of a company that wait for a callback could not be released';

type HeldRuns = { kind: Pick<RunKind, 'statements' | 'work'> };

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
  private readonly statements: HolderStatements;

  constructor(
    private readonly db: Database,
    @Inject(RUNS) private readonly kinds: readonly HeldRuns[],
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {
    this.statements = holderStatements(db.schema);
  }

  /** The first holder can take over secrets of others while it has a public key. */
  async renew(holders: readonly string[], publicKey: string | null): Promise<void> {
    try {
      await this.db.asWorker(this.statements.renew, [holders, publicKey, this.aliveMs]);
      this.database.succeeded();
    } catch (error) {
      this.database.failed();
      throw error;
    }
  }

  async release(holders: readonly string[]): Promise<void> {
    await this.db.asWorker(this.statements.release, [holders]);
  }

  /** Youngest first: in a deployment the oldest ones stop next. */
  successors(but: readonly string[]): Promise<Successor[]> {
    return this.db.asWorker<Successor>(this.statements.successors, [but]);
  }

  /**
   * Makes the work of dead holders due for every process; the process that claims it ends the run, whose secrets are
   * lost. Only for a process that has renewed its own lease without a gap: after an outage no lease is valid.
   */
  async releaseDead(stop: AbortSignal): Promise<number> {
    if (!this.database.holds(this.aliveMs)) return 0;
    const rows = await this.db.asWorker(this.statements.releaseWork);
    await this.db.asWorker(this.statements.forget);
    const waiting = await Promise.all(this.kinds.map(({ kind }) => this.releaseWaiting(kind, stop)));
    return rows.length + waiting.reduce((sum, count) => sum + count, 0);
  }

  /** Runs that wait for a callback have no due work. */
  private async releaseWaiting(kind: HeldRuns['kind'], stop: AbortSignal): Promise<number> {
    const { heldHooks } = kind.statements;
    if (!heldHooks) return 0;
    const waiting = await this.db.asWorker<WaitingRun>(heldHooks.ofDead);
    let released = 0;
    const companies = new Set(waiting.map(({ company_id }) => company_id));
    await forEachCompany(companies, { logger: this.logger, stop, failed: FAILED }, async (companyId) => {
      for (const { run_id } of waiting.filter(({ company_id }) => company_id === companyId)) {
        await this.releaseRun(heldHooks, kind.work, companyId, run_id);
        released++;
      }
    });
    return released;
  }

  private releaseRun(
    { release, openRun }: HeldHookStatements,
    work: string,
    companyId: number,
    runId: string,
  ): Promise<void> {
    return this.db.withCompany({ companyId }, async (tx) => {
      await tx.query(release, [companyId, runId]);
      const open = await tx.query(openRun, [companyId, runId]);
      if (open.length > 0) tx.addWork(work, runId);
    });
  }
}
