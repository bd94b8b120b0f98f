import { Inject, Injectable } from '@nestjs/common';
import { BusClient, Every, serviceCaller } from '@signalbox/bus';
import { identities } from '@signalbox/contracts';
import { companiesWith, Database, STATEMENT_MS } from '@signalbox/database';
import { forEachCompany, LOGGER, type Logger } from '@signalbox/platform';
import type { RunKind } from '../run-kind.js';
import { type Runs, RUNS } from '../runs.js';

const DAY_MS = 86_400_000;
const ASK_MS = 10_000;
const FAILED = 'old runs could not be deleted';
/** Runs per transaction, with all runs below them. */
const BATCH = 200;

interface IdleSession {
  id: number;
  last_activity: number;
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
    for (const { kind } of this.kinds.filter(({ kind: { retention } }) => retention))
      await forEachCompany(await this.companiesOf(kind), { logger: this.logger, stop, failed: FAILED }, async (id) => {
        const days = await this.daysOf(id, kind);
        if (days !== null) await this.deleteOlder(kind, id, days, stop);
      });
  }

  /** With runs or sessions older than the shortest time that can be set. */
  private async companiesOf({ tables, retention }: RunKind): Promise<number[]> {
    const older = (column: string): string => `t.${column} < ${STATEMENT_MS} - ${DAY_MS}`;
    const sources = [companiesWith(tables.runs, older('completed_at'))];
    if (retention?.sessions) sources.push(companiesWith(retention.sessions.table, older('last_activity')));
    const rows = await this.db.asWorker<{ company_id: number }>(sources.map((source) => `(${source})`).join(' UNION '));
    return rows.map(({ company_id }) => company_id);
  }

  /** A company whose settings cannot be read keeps everything until the next pass. */
  private async daysOf(companyId: number, { retention }: RunKind): Promise<number | null> {
    try {
      const caller = serviceCaller(companyId, Date.now() + ASK_MS);
      const input = { company_id: companyId };
      const { settings } = await this.bus.call(identities.endpoints.getCompanyProfile, input, caller);
      return retention ? settings.retention_days[retention.setting] : null;
    } catch (error) {
      this.logger.warn({ error, company_id: companyId }, 'the retention of a company is not known');
      return null;
    }
  }

  private async deleteOlder(kind: RunKind, companyId: number, days: number, stop: AbortSignal): Promise<void> {
    let deleted = 0;
    for (let batch = -1; batch !== 0 && !stop.aborted; deleted += batch)
      batch = await this.deleteBatch(kind, companyId, days);
    await this.deleteSessions(kind, companyId, days, stop);
    if (deleted > 0) this.logger.info({ company_id: companyId, kind: kind.work, deleted }, 'old runs were deleted');
  }

  /** A run is deleted with those below it, and stays while one of them is open. */
  private deleteBatch({ tables, retention }: RunKind, companyId: number, days: number): Promise<number> {
    const { runs, key, parent, events, timeline, hooks } = tables;
    return this.db.withCompany({ companyId }, async (tx) => {
      const top = parent ? `t.${parent} IS NULL AND` : '';
      const below = parent
        ? `UNION SELECT c.id, f.top FROM family f JOIN ${runs} c ON c.company_id = $1 AND c.${parent} = f.id`
        : '';
      const old = await tx.query<{ id: string }>(
        `WITH RECURSIVE oldest AS (
           SELECT t.id FROM ${runs} t WHERE t.company_id = $1 AND ${top} t.completed_at < ${STATEMENT_MS} - $2::bigint * ${DAY_MS}
           ORDER BY t.completed_at LIMIT ${BATCH}),
         family AS (SELECT id, id AS top FROM oldest ${below}),
         open AS (SELECT f.top FROM family f JOIN ${runs} o ON o.company_id = $1 AND o.id = f.id WHERE o.completed_at IS NULL)
         SELECT id FROM family WHERE top NOT IN (SELECT top FROM open)`,
        [companyId, days],
      );
      if (old.length === 0) return 0;
      const ids = old.map(({ id }) => id);
      for (const table of [events, timeline, ...(hooks ? [hooks] : []), ...(retention?.parts ?? [])])
        await tx.query(`DELETE FROM ${table} WHERE company_id = $1 AND ${key} = ANY ($2::uuid[])`, [companyId, ids]);
      await tx.query(`DELETE FROM ${runs} WHERE company_id = $1 AND id = ANY ($2::uuid[])`, [companyId, ids]);
      return ids.length;
    });
  }

  private async deleteSessions({ tables, retention }: RunKind, companyId: number, days: number, stop: AbortSignal) {
    if (!retention?.sessions) return;
    const { table, column } = retention.sessions;
    const first = { id: 0, last_activity: 0 };
    for (let after: IdleSession | undefined = first; after && !stop.aborted;) {
      const from: IdleSession = after;
      after = await this.db.withCompany({ companyId }, async (tx) => {
        // A run that begins meanwhile waits for the lock and creates the session anew.
        const old = await tx.query<IdleSession>(
          `SELECT id, last_activity FROM ${table} WHERE company_id = $1 AND (last_activity, id) > ($2, $3)
             AND last_activity < ${STATEMENT_MS} - $4::bigint * ${DAY_MS}
           ORDER BY last_activity, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
          [companyId, from.last_activity, from.id, days],
        );
        await tx.query(
          `DELETE FROM ${table} t WHERE t.company_id = $1 AND t.id = ANY ($2::int[]) AND NOT EXISTS (
             SELECT 1 FROM ${tables.runs} r WHERE r.company_id = $1 AND r.${column} = t.id)`,
          [companyId, old.map(({ id }) => id)],
        );
        return old.at(-1);
      });
    }
  }
}
