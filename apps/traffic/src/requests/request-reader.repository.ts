import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type Correction,
  type Deleted,
  type EvaluationState,
  emission,
  type JsonText,
  notFound,
  type Page,
  type RecordedRequest,
  type RequestRecord as EventRecord,
  type ResponsePair,
  trafficEvents,
} from '@signalbox/contracts';
import { Database, type ListOptions, type Owner, type Tx, type View } from '@signalbox/database';
import { PayloadOffload } from '../payload-offload/payload-offload.js';
import { scheduleOffload } from '../payload-offload/schedule-offload.js';
import type { PartKeys } from '../payload-offload/offloaded-objects.repository.js';
import { ORIGIN } from './request-filters.view.js';
import type { KnownRequest } from './recorded-request.js';
import type { RequestRecord } from './request-record.js';
import { RequestWriter } from './request-writer.repository.js';

const BODY = { params: 't.params', response: 't.response' };

const view: View = {
  resource: 'request',
  table: 'traffic.requests',
  key: 'request_id',
  keyType: 'uuid',
  serial: 't.id',
  columns: [
    'id',
    'request_id',
    'application_id',
    'intent_id',
    'intent_group_id',
    'session_id',
    'reference_id',
    'request_type',
    'inference_location',
    'origin_id',
    'rerun_of',
    'task_id',
    'run_id',
    'model',
    'corrected_response',
    'correction_applied',
    'status',
    'failure_class',
    'error_message',
    'fallback_used',
    'fallback_reason',
    'evaluation_status',
    'first_token_time_ms',
    'response_time_ms',
    'metadata',
    'date_created',
  ],
  computed: {
    is_corrected: 't.corrected_response IS NOT NULL',
    origin: ORIGIN,
    usage: `COALESCE(t.answered_usage, jsonb_build_object('prompt_tokens', t.prompt_tokens,
      'completion_tokens', t.completion_tokens, 'total_tokens', t.total_tokens, 'cost', t.cost))`,
    tags: `COALESCE((SELECT json_agg(json_build_object('id', g.id, 'tag_name', g.tag_name) ORDER BY g.tag_name)
      FROM traffic.request_tags a JOIN traffic.tags g ON g.company_id = a.company_id AND g.id = a.tag_id
      WHERE a.company_id = t.company_id AND a.request_id = t.request_id), '[]')`,
    date_updated: 'COALESCE(t.date_updated, t.date_created)',
  },
  detail: BODY,
  search: ['t.model', 't.reference_id', 't.session_id', 't.request_id::text'],
  sort: {
    date_updated: 'COALESCE(t.date_updated, t.date_created)',
    response_time_ms: 't.response_time_ms',
    total_tokens: 't.total_tokens',
    cost: 't.cost',
    model: 't.model',
  },
};
/** The same with messages and answers. */
const withBody: View = { ...view, computed: { ...view.computed, ...BODY }, detail: {} };

interface LockedRequest extends KnownRequest {
  /** Its correction lies in the object store. */
  correction_aside: boolean;
}

/** What a call was made with, to make it again. */
export interface RepeatableCall {
  application_id: number | null;
  intent_id: number | null;
  intent_group_id: number | null;
  reference_id: string | null;
  model: string;
  params: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

/**
 * Recorded requests as people read and correct them.
 *
 * SQL: reads cut large parts to excerpts; corrections change single columns under a lock.
 */
@Injectable()
export class RequestReader {
  constructor(
    private readonly db: Database,
    private readonly parts: PayloadOffload,
    private readonly rows: RequestWriter,
  ) {}

  /** Inserts the record of a call and returns it as it is read, from one transaction. */
  async insertAndRead(companyId: number, record: RequestRecord): Promise<JsonText<RecordedRequest>> {
    return this.db.withCompany({ companyId }, async (tx) => {
      await this.rows.insertIn(tx, [record]);
      const read = await tx.read<RecordedRequest>(view, record.request_id);
      if (!read) throw notFound('request');
      return read;
    });
  }

  async list(companyId: number, options: ListOptions, body: boolean): Promise<JsonText<Page<RecordedRequest>>> {
    return this.parts.whole(companyId, await this.db.list<RecordedRequest>(body ? withBody : view, companyId, options));
  }

  async get(companyId: number, requestId: string): Promise<JsonText<RecordedRequest>> {
    const found = await this.db.readOne<RecordedRequest>(view, companyId, requestId);
    if (!found) throw notFound('request');
    return this.parts.whole(companyId, found);
  }

  async responses(companyId: number, requestId: string): Promise<ResponsePair> {
    const [row] = await this.read<{ response: ResponsePair['original']; corrected_response: Correction | null }>(
      companyId,
      requestId,
      't.response, t.corrected_response',
    );
    if (!row) throw notFound('request');
    const { response: original, corrected_response: corrected } = row;
    return { original, corrected };
  }

  async repeatable(companyId: number, requestId: string): Promise<RepeatableCall> {
    const columns =
      't.application_id, t.intent_id, t.intent_group_id, t.reference_id, t.model, t.params, t.metadata, t.primary_model';
    const [row] = await this.read<RepeatableCall & { primary_model: string | null }>(companyId, requestId, columns);
    if (!row) throw notFound('request');
    return { ...row, model: row.primary_model ?? row.model };
  }

  private async read<Row extends object>(companyId: number, requestId: string, columns: string): Promise<Row[]> {
    const rows = await this.db.select<Row & { objects: PartKeys | null }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${columns}, t.objects FROM traffic.requests t
         WHERE t.company_id = s.company AND t.request_id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [requestId],
    );
    return Promise.all(rows.map((row) => this.parts.fill(row, row.objects ?? {})));
  }

  /** Sets or takes away the correction, as the rule decides over the locked row. */
  async correct(
    caller: Caller,
    requestId: string,
    rule: (request: KnownRequest) => Correction | null,
  ): Promise<JsonText<RecordedRequest>> {
    const corrected = await this.parts.releasing(caller, async (tx, release) => {
      const row = await this.lock(tx, requestId);
      const after = rule(row);
      const text = after && JSON.stringify(after);
      await tx.query(
        `UPDATE traffic.requests SET corrected_response = $3, date_updated = $4, objects = objects - 'corrected_response'
         WHERE company_id = $1 AND request_id = $2`,
        [tx.companyId, requestId, text, Date.now()],
      );
      if (row.correction_aside) await release([requestId], 'corrected_response');
      scheduleOffload(tx, requestId, [text]);
      const change = { before: { corrected_response: row.corrected_response }, after: { corrected_response: after } };
      tx.audit({ action: 'update', resource_type: 'request', resource_id: requestId, ...change });
      const read = await tx.read<RecordedRequest>(view, requestId);
      if (!read) throw notFound('request');
      const event = after ? 'request.corrected' : 'request.correction_removed';
      tx.emit(emission(trafficEvents, event, requestId, withoutBodies(read)));
      return read;
    });
    return this.parts.whole(caller.companyId, corrected);
  }

  /** Keeps how a request was judged; the figures of its hour, its day and its session follow. */
  async judge(owner: Owner, requestId: string, status: EvaluationState): Promise<void> {
    await this.db.withCompany(owner, async (tx) => {
      const [row] = await tx.query<{ before: EvaluationState; session_id: string | null }>(
        `UPDATE traffic.requests t SET evaluation_status = $3, date_updated = $4
         WHERE company_id = $1 AND request_id = $2 RETURNING old.evaluation_status AS before, CASE WHEN ${ORIGIN} = 'CHAT' THEN session_id END AS session_id`,
        [tx.companyId, requestId, status, Date.now()],
      );
      if (!row) throw notFound('request');
      const more = Number(status === 'FAULT') - Number(row.before === 'FAULT');
      if (more === 0 || row.session_id === null) return;
      await tx.query(
        `UPDATE traffic.sessions SET fault_count = fault_count + $3
         WHERE company_id = $1 AND session_id = $2 AND deleted_at IS NULL`,
        [tx.companyId, row.session_id, more],
      );
    });
  }

  /** What was said is gone for good; the row stays for the counts. */
  remove(caller: Caller, requestId: string): Promise<Deleted> {
    return this.parts.releasing(caller, async (tx, release) => {
      await this.lock(tx, requestId);
      await release([requestId]);
      await tx.query(
        `UPDATE traffic.requests SET params = '{}', response = NULL, corrected_response = NULL, objects = NULL,
           metadata = '{}', error_message = NULL, deleted_at = $3, date_updated = $3
         WHERE company_id = $1 AND request_id = $2`,
        [tx.companyId, requestId, Date.now()],
      );
      tx.emit(emission(trafficEvents, 'request.deleted', requestId, { id: requestId }));
      tx.audit({ action: 'delete', resource_type: 'request', resource_id: requestId });
      return { id: requestId, deleted: true };
    });
  }

  private async lock(tx: Tx, requestId: string): Promise<LockedRequest> {
    const [row] = await tx.query<LockedRequest>(
      `SELECT t.request_id, t.status, t.response IS NOT NULL AS has_response, t.corrected_response,
         COALESCE(t.objects ? 'corrected_response', false) AS correction_aside
       FROM traffic.requests t
       WHERE t.company_id = $1 AND t.request_id = $2 AND t.deleted_at IS NULL FOR NO KEY UPDATE`,
      [tx.companyId, requestId],
    );
    if (!row) throw notFound('request');
    return row;
  }
}

/** A request as events carry it. */
function withoutBodies({ text }: JsonText<RecordedRequest>): EventRecord {
  const {
    params: _params,
    response: _response,
    corrected_response: _corrected,
    ...record
  } = JSON.parse(text) as RecordedRequest;
  return record;
}
