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
import { storableJson } from '../json-text.js';
import { REQUEST_RECORD } from '../requests.sql.js';
import { evaluationStateOf, type SentinelResult, type SentinelVerdict } from '../../judging/index.js';
import {
  ADD_FAULTS,
  CURRENT_VERDICTS,
  INSERT_RESULTS,
  LOCK_JUDGED,
  REPLACE_RESULT,
  RETIRE_RESULTS,
  SET_STATE,
} from './result-writer.sql.js';

export interface JudgedRequest {
  request_id: string;
  date_created: number;
}

export interface Evaluated {
  request: JudgedRequest;
  results: readonly SentinelResult[];
  passId: string;
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

/**
 * The state of the request, the counts of its session and all events commit with the results.
 *
 * SQL: single columns of a partitioned table change under a lock, and the results of a request are one statement.
 */
@Injectable()
export class ResultWriter {
  /** Returns the ids of the results; stores nothing for a request that was deleted. */
  async store(tx: Tx, evaluated: Evaluated): Promise<number[]> {
    const { request, results, evaluationId = null, overridden = new Set<number>() } = evaluated;
    const row = await this.lock(tx, request);
    if (!row) return [];
    const deciding = results.filter(({ sentinel }) => !overridden.has(sentinel.id)).map(({ sentinel }) => sentinel.id);
    await tx.query(RETIRE_RESULTS, [tx.companyId, request.request_id, deciding]);
    const records = await this.insert(tx, evaluated, row);
    await this.setState(tx, request, row);
    tx.emitTogether(records.map((record) => emission(trafficEvents, 'evaluation_result.created', record.id, record)));
    if (evaluationId === null && row.notifies) tx.emit(...(await this.faults(tx, request, records)));
    return records.map(({ id }) => id);
  }

  /** Replaces a failed result by another verdict; stores nothing for a deleted request. */
  async replace(tx: Tx, request: JudgedRequest, resultId: number, verdict: SentinelVerdict): Promise<void> {
    const row = await this.lock(tx, request);
    if (!row) return;
    const records = await tx.query<EvaluationRecord>(REPLACE_RESULT, [tx.companyId, resultId, storableJson(verdict)]);
    await this.setState(tx, request, row);
    tx.emitTogether(records.map((record) => emission(trafficEvents, 'evaluation_result.created', record.id, record)));
  }

  private async setState(tx: Tx, { request_id, date_created }: JudgedRequest, before: LockedRequest): Promise<void> {
    const verdicts = await tx.query<{ status: Verdict }>(CURRENT_VERDICTS, [tx.companyId, request_id]);
    const status = evaluationStateOf(verdicts.map((each) => each.status));
    if (status === before.status) return;
    await tx.query(SET_STATE, [tx.companyId, request_id, date_created, status, Date.now()]);
    const more = Number(status === 'FAULT') - Number(before.status === 'FAULT');
    if (more === 0 || !before.in_chat || before.session_id === null) return;
    await tx.query(ADD_FAULTS, [tx.companyId, before.session_id, more]);
  }

  private async lock(tx: Tx, { request_id, date_created }: JudgedRequest): Promise<LockedRequest | null> {
    const [row] = await tx.query<LockedRequest>(LOCK_JUDGED, [tx.companyId, request_id, date_created]);
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
    return tx.query<EvaluationRecord>(INSERT_RESULTS, [
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
    ]);
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
