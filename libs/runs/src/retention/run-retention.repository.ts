import { Inject, Injectable } from '@nestjs/common';
import { BusClient, Every, serviceCaller } from '@signalbox/bus';
import { identities } from '@signalbox/contracts';
import { Database, type Statement, type Tx } from '@signalbox/database';
import { forEachCompany, LOGGER, type Logger, requireComplete } from '@signalbox/platform';
import type { RunKind } from '../run-kind.js';
import { type Runs, RUNS } from '../runs.js';
import { BATCH, DAY_MS, type RetentionStatements, type SessionStatements, SLICE } from './run-retention.sql.js';

const ASK_MS = 10_000;
const FAILED = 'old runs could not be deleted';
/** Runs per transaction together with those below them, of which one may have thousands. */
const MAX_FAMILY = 1000;

interface OldRun {
  id: string;
  /** The run that it goes with. */
  top: string;
  completed_at: number | null;
}

type Position = Pick<OldRun, 'id' | 'completed_at'>;
const FIRST: Position = { id: '00000000-0000-0000-0000-000000000000', completed_at: 0 };

interface DeletedBatch {
  deleted: number;
  /** Of the last run that was looked at; null after the last one. */
  after: Position | null;
}

interface IdleSession {
  id: number;
  last_activity: number;
}

interface OldOfCompany {
  companyId: number;
  days: number;
  stop: AbortSignal;
}

/**
 * Deletes runs that ended longer ago than their company keeps them, and their sessions, daily and when the process
 * starts.
 * SQL: families of runs are found by recursion and deleted in batches.
 */
@Injectable()
export class RunRetention {
  constructor(
    private readonly db: Database,
    private readonly bus: BusClient,
    @Inject(RUNS) private readonly kinds: readonly Pick<Runs, 'kind'>[],
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every(DAY_MS, FAILED)
  async deleteOld(stop: AbortSignal): Promise<void> {
    const pass = { logger: this.logger, stop, failed: FAILED };
    let failures = 0;
    for (const { kind } of this.kinds) {
      const { retention } = kind.statements;
      if (!retention) continue;
      failures += await forEachCompany(await this.companiesOf(retention), pass, async (id) => {
        const days = await this.daysOf(id, kind);
        if (days !== null) await this.deleteOlder(kind, retention, { companyId: id, days, stop });
      });
    }
    requireComplete(failures);
  }

  private async companiesOf({ companies }: RetentionStatements): Promise<number[]> {
    const rows = await this.db.asWorker<{ company_id: number }>(companies);
    return rows.map(({ company_id }) => company_id);
  }

  private async daysOf(companyId: number, { retention }: RunKind): Promise<number | null> {
    const caller = serviceCaller(companyId, Date.now() + ASK_MS);
    const input = { company_id: companyId };
    const { settings } = await this.bus.call(identities.endpoints.getCompanyProfile, input, caller);
    return retention ? settings.retention_days[retention.setting] : null;
  }

  private async deleteOlder(kind: RunKind, statements: RetentionStatements, old: OldOfCompany): Promise<void> {
    let deleted = 0;
    for (let after: Position | null = FIRST; after && !old.stop.aborted;) {
      const batch: DeletedBatch = await this.deleteBatch(statements, old, after);
      deleted += batch.deleted;
      after = batch.after;
    }
    if (statements.sessions) await this.deleteSessions(statements.sessions, old);
    const { companyId } = old;
    if (deleted > 0) this.logger.info({ company_id: companyId, kind: kind.work, deleted }, 'old runs were deleted');
  }

  /** A run is deleted after those below it, and stays while one of them is open. */
  private deleteBatch(
    { oldest, deletes }: RetentionStatements,
    { companyId, days }: OldOfCompany,
    after: Position,
  ): Promise<DeletedBatch> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const old = await this.oldest(tx, oldest, days, after);
      const open = new Set(old.filter(({ completed_at }) => completed_at === null).map(({ top }) => top));
      const ids = old.filter(({ top }) => !open.has(top)).map(({ id }) => id);
      const last = ids.slice(-MAX_FAMILY);
      for (const statement of deletes) await deleteRows(tx, statement, last);
      const isRest = last.length < ids.length;
      return { deleted: last.length, after: isRest ? after : (old.findLast(({ id, top }) => id === top) ?? null) };
    });
  }

  /** With those below them, which come later; so few that they are at most `MAX_FAMILY`, but for those of a single one. */
  private async oldest(tx: Tx, oldest: Statement<'transaction'>, days: number, after: Position): Promise<OldRun[]> {
    for (let tops = BATCH; ; tops = Math.ceil(tops / 8)) {
      const most = tops > 1 ? MAX_FAMILY + 1 : null;
      const found = await tx.query<OldRun>(oldest, [tx.companyId, days, after.completed_at, after.id, tops, most]);
      if (tops === 1 || found.length <= MAX_FAMILY) return found;
    }
  }

  private async deleteSessions({ old, deleteUnused }: SessionStatements, { companyId, days, stop }: OldOfCompany) {
    const first = { id: 0, last_activity: 0 };
    for (let after: IdleSession | undefined = first; after && !stop.aborted;) {
      const from: IdleSession = after;
      after = await this.db.withCompany({ companyId }, async (tx) => {
        // A run that begins meanwhile waits for the lock and creates the session anew.
        const idle = await tx.query<IdleSession>(old, [companyId, from.last_activity, from.id, days]);
        if (idle.length > 0) await tx.query(deleteUnused, [companyId, idle.map(({ id }) => id)]);
        return idle.at(-1);
      });
    }
  }
}

/** Nothing for no ids: Postgres may look for none of them in all rows of a company. */
async function deleteRows(tx: Tx, statement: Statement<'transaction'>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (let deleted = SLICE; deleted === SLICE;) deleted = (await tx.query(statement, [tx.companyId, ids])).length;
}
