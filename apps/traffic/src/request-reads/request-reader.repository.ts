import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type Correction,
  type Deleted,
  emission,
  type JsonText,
  notFound,
  type Page,
  type RecordedRequest,
  type RequestRecord as EventRecord,
  type ResponsePair,
  trafficEvents,
} from '@signalbox/contracts';
import { Database, type Filter, type ListOptions, type Statement, type Tx } from '@signalbox/database';
import { Rollups } from '../analytics/index.js';
import { clearResultTexts } from '../judging/index.js';
import { type PartKeys, PayloadOffload } from '../payload-offload/index.js';
import {
  REQUEST,
  REQUEST_RECORD,
  REQUEST_WITH_BODY,
  type RequestRecord,
  RequestWriter,
  scheduleOffload,
} from '../request-records/index.js';
import type { KnownRequest } from './recorded-request.js';
import { countOf, type TaggedCount, taggedCountOf } from './request-count.js';
import {
  CLEAR_REQUEST,
  COUNT_TAGGED,
  FIND_CALL,
  FIND_REQUEST,
  FIND_RESPONSES,
  LOCK_REQUEST,
  SET_CORRECTION,
} from './request-reader.sql.js';
import { tagConditionIn } from './tag-condition.js';

interface LockedRequest extends KnownRequest {
  /** Its correction is in the object store. */
  correction_aside: boolean;
}

/** What is needed to repeat a call. */
export interface RepeatableCall {
  application_id: number | null;
  intent_id: number | null;
  intent_group_id: number | null;
  reference_id: string | null;
  model: string;
  params: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/** SQL: reads cut large parts to excerpts; corrections change single columns under a lock. */
@Injectable()
export class RequestReader {
  constructor(
    private readonly db: Database,
    private readonly parts: PayloadOffload,
    private readonly rows: RequestWriter,
    private readonly rollups: Rollups,
  ) {}

  insertAndRead(caller: Caller, record: RequestRecord): Promise<JsonText<RecordedRequest>> {
    return this.db.withCompany(caller, async (tx) => {
      await this.rows.insertIn(tx, [record]);
      const read = await tx.read<RecordedRequest>(REQUEST, record.request_id);
      if (!read) throw notFound('request');
      return read;
    });
  }

  async list(companyId: number, options: ListOptions, body: boolean): Promise<JsonText<Page<RecordedRequest>>> {
    const view = body ? REQUEST_WITH_BODY : REQUEST;
    const conditions = options.filters ?? [];
    const counted = options.search ? options : { ...options, ...this.counterOf(companyId, conditions) };
    const filters = await tagConditionIn(this.db, companyId, conditions);
    return this.parts.whole(companyId, await this.db.list<RecordedRequest>(view, companyId, { ...counted, filters }));
  }

  private counterOf(companyId: number, conditions: readonly Filter[]): Pick<ListOptions, 'countMany'> {
    const count = countOf(conditions);
    if (count) return { countMany: () => this.rollups.count(companyId, count) };
    const tagged = taggedCountOf(conditions);
    return tagged ? { countMany: () => this.countTagged(companyId, tagged) } : {};
  }

  private async countTagged(companyId: number, { tagIds, span }: TaggedCount): Promise<number> {
    const values = [tagIds, span.start, span.end];
    const [row] = await this.db.select<{ total: number }>(companyId, COUNT_TAGGED, values);
    return row?.total ?? 0;
  }

  async get(companyId: number, requestId: string): Promise<JsonText<RecordedRequest>> {
    const found = await this.find(companyId, requestId);
    if (!found) throw notFound('request');
    return found;
  }

  async find(companyId: number, requestId: string): Promise<JsonText<RecordedRequest> | null> {
    const found = await this.db.readOne<RecordedRequest>(REQUEST, companyId, requestId);
    return found && this.parts.whole(companyId, found);
  }

  async require(companyId: number, requestId: string): Promise<void> {
    if ((await this.read(companyId, requestId, FIND_REQUEST)).length === 0) throw notFound('request');
  }

  async responses(companyId: number, requestId: string): Promise<ResponsePair> {
    const [row] = await this.read<{ response: ResponsePair['original']; corrected_response: Correction | null }>(
      companyId,
      requestId,
      FIND_RESPONSES,
    );
    if (!row) throw notFound('request');
    const { response: original, corrected_response: corrected } = row;
    return { original, corrected };
  }

  async repeatable(companyId: number, requestId: string): Promise<RepeatableCall> {
    const [row] = await this.read<RepeatableCall & { primary_model: string | null }>(companyId, requestId, FIND_CALL);
    if (!row) throw notFound('request');
    return { ...row, model: row.primary_model ?? row.model };
  }

  private async read<Row extends object>(
    companyId: number,
    requestId: string,
    statement: Statement<'read'>,
  ): Promise<Row[]> {
    const rows = await this.db.select<Row & { objects: PartKeys | null }>(companyId, statement, [requestId]);
    return Promise.all(rows.map((row) => this.parts.fill(row, row.objects ?? {})));
  }

  /** `rule` decides over the locked row; null removes the correction. */
  async correct(
    caller: Caller,
    requestId: string,
    rule: (request: KnownRequest) => Correction | null,
  ): Promise<JsonText<RecordedRequest>> {
    const corrected = await this.parts.releasing(caller, async (tx, release) => {
      const row = await this.lock(tx, requestId);
      const after = rule(row);
      const text = after && JSON.stringify(after);
      await tx.query(SET_CORRECTION, [tx.companyId, requestId, text, Date.now()]);
      if (row.correction_aside) await release([requestId], 'corrected_response');
      scheduleOffload(tx, requestId, [text]);
      const change = { before: { corrected_response: row.corrected_response }, after: { corrected_response: after } };
      tx.audit({ action: 'update', resource_type: 'request', resource_id: requestId, ...change });
      const read = await tx.read<RecordedRequest>(REQUEST, requestId);
      if (!read) throw notFound('request');
      const event = after ? 'request.corrected' : 'request.correction_removed';
      const record = await tx.read<EventRecord>(REQUEST_RECORD, requestId);
      if (record) tx.emit(emission(trafficEvents, event, requestId, JSON.parse(record.text) as EventRecord));
      return read;
    });
    return this.parts.whole(caller.companyId, corrected);
  }

  /** The content is gone for good; the row stays for the counts. */
  remove(caller: Caller, requestId: string): Promise<Deleted> {
    return this.parts.releasing(caller, async (tx, release) => {
      await this.lock(tx, requestId);
      await release([requestId]);
      await tx.query(CLEAR_REQUEST, [tx.companyId, requestId, Date.now()]);
      await clearResultTexts(tx, [requestId]);
      tx.emit(emission(trafficEvents, 'request.deleted', requestId, { id: requestId }));
      tx.audit({ action: 'delete', resource_type: 'request', resource_id: requestId });
      return { id: requestId, deleted: true };
    });
  }

  private async lock(tx: Tx, requestId: string): Promise<LockedRequest> {
    const [row] = await tx.query<LockedRequest>(LOCK_REQUEST, [tx.companyId, requestId]);
    if (!row) throw notFound('request');
    return row;
  }
}
