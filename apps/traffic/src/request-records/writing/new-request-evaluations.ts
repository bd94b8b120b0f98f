import { Injectable } from '@nestjs/common';
import type { EvaluationState } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { RequestRecord } from '../request-record.js';
import { evaluationStateOf, Sentinels } from '../../judging/index.js';
import { EvaluatedCompanies } from '../../watched-companies/index.js';
import { trafficJobs } from '../../jobs.js';
import { ResultWriter } from './result-writer.repository.js';
import { MARK_CORRECTED } from './new-request-evaluations.sql.js';

const { evaluateRequest, evaluateAndCorrectRequest } = trafficJobs;

type Evaluable = Pick<
  RequestRecord,
  'request_id' | 'request_type' | 'status' | 'response' | 'intent_group_id' | 'evaluation' | 'date_created'
>;

export const isEvaluable = ({ request_type, status, response, intent_group_id, evaluation }: Evaluable): boolean =>
  request_type === 'PROD' &&
  status === 'COMPLETED' &&
  response !== null &&
  intent_group_id !== null &&
  (evaluation ?? null)?.mode !== 'OFF';

/** SQL: a call that was corrected is marked in the transaction of its record. */
@Injectable()
export class NewRequestEvaluations {
  constructor(
    private readonly companies: EvaluatedCompanies,
    private readonly sentinels: Sentinels,
    private readonly results: ResultWriter,
  ) {}

  async statesOf(tx: Tx, records: readonly Evaluable[]): Promise<EvaluationState[]> {
    const waiting = records.filter((record) => record.evaluation?.mode !== 'DONE' && isEvaluable(record));
    const watched =
      waiting.length > 0 && (await this.companies.has(tx.companyId))
        ? await this.sentinels.watchedOf(tx, [...new Set(waiting.map(({ intent_group_id }) => intent_group_id ?? 0))])
        : new Set<number>();
    return records.map((record) => {
      const { evaluation, intent_group_id } = record;
      if (evaluation?.mode === 'DONE') return evaluationStateOf(evaluation.results.map(({ status }) => status));
      return isEvaluable(record) && watched.has(intent_group_id ?? 0) ? 'PENDING' : 'NA';
    });
  }

  /** Schedules the judging of the records that wait for it, and stores the results of the others. */
  async add(tx: Tx, inserted: readonly { record: Evaluable; state: EvaluationState }[]): Promise<void> {
    for (const { record, state } of inserted) {
      const { evaluation, request_id, date_created } = record;
      const request = { request_id: request_id.toLowerCase(), date_created };
      if (state === 'PENDING')
        tx.addJob(evaluation?.mode === 'CORRECT' ? evaluateAndCorrectRequest : evaluateRequest, {
          requestId: request.request_id,
        });
      if (evaluation?.mode !== 'DONE') continue;
      const { ids, results, pass_id: passId, corrected } = evaluation;
      await this.results.store(tx, { request, results, ids, passId });
      if (corrected) await this.markCorrected(tx, request);
    }
  }

  private async markCorrected(tx: Tx, request: { request_id: string; date_created: number }): Promise<void> {
    await tx.query(MARK_CORRECTED, [tx.companyId, request.request_id, request.date_created]);
  }
}
