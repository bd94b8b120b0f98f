import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { NewRequestEvaluations } from './new-request-evaluations.js';
import { scheduleOffload } from './schedule-offload.js';
import { countsOf, Sessions } from '../../sessions/index.js';
import { AutoTaggedCompanies } from '../../watched-companies/index.js';
import { scheduleTagging } from './schedule-tagging.js';
import { eventsOf } from './request-events.js';
import { CONTENT_MISSING, emptyRecord, type RequestRecord } from '../request-record.js';
import {
  INSERT,
  INSERT_UNKNOWN,
  LOCK_REQUEST_IDS,
  MAKE_PARTITIONS,
  RESTORE,
  RESTORED,
  valuesOf,
} from './request-writer.sql.js';

const DAYS_AHEAD = 7;

/** SQL: a batch is one INSERT of arrays; single rows cost five to ten times as much. */
@Injectable()
export class RequestWriter {
  constructor(
    private readonly db: Database,
    private readonly sessions: Sessions,
    private readonly autoTagged: AutoTaggedCompanies,
    private readonly evaluations: NewRequestEvaluations,
  ) {}

  /** Rows of days without a partition are in the default partition. */
  async makePartitions(): Promise<void> {
    await this.db.asWorker(MAKE_PARTITIONS, [DAYS_AHEAD]);
  }

  /** Existing records are unchanged and emit no event. */
  async insertOf(companyId: number, records: readonly RequestRecord[]): Promise<void> {
    await this.db.withCompany({ companyId }, async (tx) => {
      const inserted = await this.insertIn(tx, records);
      const known = records.filter(({ request_id }) => !inserted.has(request_id.toLowerCase()));
      if (known.length > 0) await this.restore(tx, known);
    });
  }

  /** True when the database accepts a row of the company at the moment; the row is rolled back. */
  async takesRows(companyId: number): Promise<boolean> {
    const undo = new Error('undo');
    try {
      await this.db.withCompany({ companyId }, async (tx) => {
        await this.insertIn(tx, [emptyRecord(companyId, randomUUID())]);
        throw undo;
      });
    } catch (error) {
      return error === undo;
    }
    return false;
  }

  private async restore(tx: Tx, records: readonly RequestRecord[]): Promise<void> {
    await tx.query(RESTORE, [tx.companyId, CONTENT_MISSING, ...valuesOf(records, RESTORED)]);
  }

  /** Emits events for the new records; returns their ids. */
  async insertIn(tx: Tx, records: readonly RequestRecord[], statement = INSERT): Promise<Set<string>> {
    const states = await this.evaluations.statesOf(tx, records);
    const rows = await tx.query<{ id: number; request_id: string }>(statement, [
      tx.companyId,
      ...valuesOf(records),
      // Storing the results of an evaluated call changes its state, and the counts of its session with it.
      states.map((state) => (state === 'PENDING' ? state : 'NA')),
    ]);
    const ids = new Map(rows.map(({ id, request_id }) => [request_id, id]));
    const inserted = new Set(ids.keys());
    const left = new Set(inserted);
    const added = records.flatMap((record, at) =>
      left.delete(record.request_id.toLowerCase()) ? [{ record, state: states[at] ?? 'NA' }] : [],
    );
    const fresh = added.map(({ record }) => record);
    const events = added.flatMap(({ record, state }) =>
      eventsOf(record, ids.get(record.request_id.toLowerCase()) ?? 0, state),
    );
    // Events of one kind share messages.
    for (const kind of ['request.completed', 'request.failed', 'request.fallback_used'])
      tx.emitTogether(events.filter(({ event }) => event === kind));
    await this.sessions.count(tx, countsOf(fresh));
    for (const { request_id, params, response } of fresh) scheduleOffload(tx, request_id, [params, response]);
    if (await this.autoTagged.has(tx.companyId)) scheduleTagging(tx, fresh);
    await this.evaluations.add(tx, added);
    return inserted;
  }

  /**
   * Inserts only records whose `request_id` no partition of the company has; returns, for each, whether it was
   * inserted.
   */
  insertOnce(caller: Caller, records: readonly RequestRecord[]): Promise<boolean[]> {
    return this.db.withCompany(caller, async (tx) => {
      const ids = records.map(({ request_id }) => request_id.toLowerCase());
      // The key of a partitioned table contains the date, so concurrent calls are serialised by a lock.
      await tx.query(LOCK_REQUEST_IDS, [ids.map((id) => `request ${tx.companyId} ${id}`)]);
      const seen = new Set<string>();
      const first = ids.map((id) => !seen.has(id) && Boolean(seen.add(id)));
      const news = records.filter((_, at) => first[at]);
      const inserted = await this.insertIn(tx, news, INSERT_UNKNOWN);
      return ids.map((id, at) => first[at] === true && inserted.has(id));
    });
  }
}
