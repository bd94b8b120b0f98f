import { Injectable } from '@nestjs/common';
import {
  type Emission,
  emission,
  type EvaluationRecord,
  type EvaluationState,
  type RequestRecord,
  trafficEvents,
  type Verdict,
} from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { inChat } from '../request-filters.view.js';
import { storableJson } from '../json-text.js';
import { REQUEST_RECORD } from '../request.view.js';
import { evaluationStateOf, type SentinelResult, type SentinelVerdict } from '../../judging/index.js';

/** A request that was judged. */
export interface JudgedRequest {
  request_id: string;
  date_created: number;
}

/** The results of one request. */
export interface Evaluated {
  request: JudgedRequest;
  results: readonly SentinelResult[];
  /** One for each judged request and pass. */
  passId: string;
  /** The evaluation run; null for live traffic. */
  evaluationId?: number | null;
  /** The sentinels whose directive the run has replaced: their results do not decide about the state of the request. */
  overridden?: ReadonlySet<number>;
  /** Ids that were returned to the client before the results are stored. */
  ids?: readonly number[];
}

interface LockedRequest {
  status: EvaluationState;
  in_chat: boolean;
  deleted: boolean;
  session_id: string | null;
  application_id: number | null;
  intent_id: number | null;
  intent_group_id: number | null;
  notifies: boolean;
}

/** The columns of a result as its event carries them, over the alias `t`. */
const EVENT_FIELDS = `t.id, t.evaluation_request_id, t.evaluation_id, t.request_id, t.session_id, t.application_id,
  t.intent_id, t.intent_group_id, t.sentinel_id, t.sentinel_name, t.severity, t.status, t.failure_class, t.confidence,
  t.eval_time_ms, t.usage, t.date_created`;

/**
 * Stores the results of requests: the state of the request, the counts of its session and all events commit with them.
 *
 * SQL: single columns of a partitioned table change under a lock, and the results of a request are one statement.
 */
@Injectable()
export class ResultWriter {
  /** Stores the results of a request; of one that does not exist any longer nothing is stored. Returns their ids. */
  async store(tx: Tx, evaluated: Evaluated): Promise<number[]> {
    const { request, results, evaluationId = null, overridden = new Set<number>() } = evaluated;
    const row = await this.lock(tx, request);
    if (!row) return [];
    const deciding = results.filter(({ sentinel }) => !overridden.has(sentinel.id)).map(({ sentinel }) => sentinel.id);
    await tx.query(
      `UPDATE traffic.evaluation_results SET is_current = false
       WHERE company_id = $1 AND request_id = $2 AND sentinel_id = ANY ($3::int[]) AND is_current`,
      [tx.companyId, request.request_id, deciding],
    );
    const records = await this.insert(tx, evaluated, row);
    await this.setState(tx, request, row);
    tx.emitTogether(records.map((record) => emission(trafficEvents, 'evaluation_result.created', record.id, record)));
    if (evaluationId === null && row.notifies) tx.emit(...(await this.faults(tx, request, records)));
    return records.map(({ id }) => id);
  }

  /** Replaces a failed result by another verdict of the same sentinel; of a deleted request nothing is stored. */
  async replace(tx: Tx, request: JudgedRequest, resultId: number, verdict: SentinelVerdict): Promise<void> {
    const row = await this.lock(tx, request);
    if (!row) return;
    const records = await tx.query<EvaluationRecord>(
      `UPDATE traffic.evaluation_results t SET status = u.status, failure_class = u.failure_class,
         description = u.description, confidence = u.confidence, correction = u.correction,
         eval_time_ms = u.eval_time_ms, usage = u.usage
       FROM json_to_record($3::json) u(status text, failure_class text, description text, confidence double precision,
         correction text, eval_time_ms bigint, usage jsonb)
       WHERE t.company_id = $1 AND t.id = $2 RETURNING ${EVENT_FIELDS}`,
      [tx.companyId, resultId, storableJson(verdict)],
    );
    await this.setState(tx, request, row);
    tx.emitTogether(records.map((record) => emission(trafficEvents, 'evaluation_result.created', record.id, record)));
  }

  /** Writes the state of a locked request by its current results. */
  private async setState(tx: Tx, { request_id, date_created }: JudgedRequest, before: LockedRequest): Promise<void> {
    const verdicts = await tx.query<{ status: Verdict }>(
      'SELECT status FROM traffic.evaluation_results WHERE company_id = $1 AND request_id = $2 AND is_current',
      [tx.companyId, request_id],
    );
    const status = evaluationStateOf(verdicts.map((each) => each.status));
    if (status === before.status) return;
    await tx.query(
      `UPDATE traffic.requests SET evaluation_status = $4, date_updated = $5
       WHERE company_id = $1 AND request_id = $2 AND date_created = $3`,
      [tx.companyId, request_id, date_created, status, Date.now()],
    );
    const more = Number(status === 'FAULT') - Number(before.status === 'FAULT');
    if (more === 0 || !before.in_chat || before.session_id === null) return;
    await tx.query(
      `UPDATE traffic.sessions SET fault_count = fault_count + $3
       WHERE company_id = $1 AND session_id = $2 AND deleted_at IS NULL`,
      [tx.companyId, before.session_id, more],
    );
  }

  private async lock(tx: Tx, { request_id, date_created }: JudgedRequest): Promise<LockedRequest | null> {
    const [row] = await tx.query<LockedRequest>(
      `SELECT t.evaluation_status AS status, ${inChat('t')} AS in_chat, t.deleted_at IS NOT NULL AS deleted, t.session_id,
         t.application_id, t.intent_id, t.intent_group_id,
         COALESCE((SELECT a.fault_notifications FROM traffic.applications a
           WHERE a.company_id = t.company_id AND a.id = t.application_id), false)
         OR COALESCE((SELECT i.notifications_enabled FROM traffic.intents i
           WHERE i.company_id = t.company_id AND i.id = t.intent_id), false) AS notifies
       FROM traffic.requests t WHERE t.company_id = $1 AND t.request_id = $2 AND t.date_created = $3 FOR NO KEY UPDATE OF t`,
      [tx.companyId, request_id, date_created],
    );
    return row && !row.deleted ? row : null;
  }

  private insert(
    tx: Tx,
    { request, results, passId, evaluationId = null, overridden, ids }: Evaluated,
    row: LockedRequest,
  ): Promise<EvaluationRecord[]> {
    const rows = results.map(({ sentinel, ...verdict }, at) => ({
      ...verdict,
      id: ids?.[at] ?? null,
      sentinel_id: sentinel.id,
      sentinel_name: sentinel.sentinel_name,
      severity: sentinel.severity,
      is_current: !overridden?.has(sentinel.id),
    }));
    return tx.query<EvaluationRecord>(
      `WITH t AS (
         INSERT INTO traffic.evaluation_results (company_id, id, evaluation_request_id, evaluation_id, request_id,
           request_date, session_id, application_id, intent_id, intent_group_id, sentinel_id, sentinel_name, severity,
           status, failure_class, description, confidence, correction, eval_time_ms, usage, is_current)
         SELECT $1, COALESCE(u.id, nextval('traffic.evaluation_results_id_seq')), $2::uuid, $3::int, $4::uuid, $5::bigint,
           $6::text, $7::int, $8::int, $9::int, u.sentinel_id, u.sentinel_name, u.severity, u.status, u.failure_class,
           u.description, u.confidence, u.correction, u.eval_time_ms, u.usage, u.is_current
         FROM json_to_recordset($10::json) u(id bigint, sentinel_id int, sentinel_name text, severity int, status text,
           failure_class text, description text, confidence double precision, correction text, eval_time_ms bigint,
           usage jsonb, is_current boolean)
         RETURNING *)
       SELECT ${EVENT_FIELDS} FROM t ORDER BY t.id`,
      [
        tx.companyId,
        passId,
        evaluationId,
        request.request_id,
        request.date_created,
        row.session_id,
        row.application_id,
        row.intent_id,
        row.intent_group_id,
        storableJson(rows),
      ],
    );
  }

  private async faults(tx: Tx, { request_id }: JudgedRequest, records: EvaluationRecord[]): Promise<Emission[]> {
    const faulty = records.filter(({ status }) => status === 'FAULT');
    if (faulty.length === 0) return [];
    const read = await tx.read<RequestRecord>(REQUEST_RECORD, request_id);
    if (!read) return [];
    const request = JSON.parse(read.text) as RequestRecord;
    return faulty.map(({ sentinel_id, severity }) =>
      emission(trafficEvents, 'request.fault', request_id, { ...request, sentinel_id, severity }),
    );
  }
}
