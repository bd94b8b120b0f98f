import { Injectable } from '@nestjs/common';
import type { EvaluationResult, JsonText, Page, ResultFilter } from '@signalbox/contracts';
import { Database, filtersOf, type ListOptions, type Tx } from '@signalbox/database';
import { RESERVE_RESULT_IDS, RESULTS_BY_IDS, RESULTS_OF_REQUEST, view, viewOf } from './evaluation-results.sql.js';

/** SQL: the results of one request are one read without paging. */
@Injectable()
export class EvaluationResults {
  constructor(private readonly db: Database) {}

  list(
    companyId: number,
    input: ListOptions & Partial<ResultFilter> & { request_id?: string },
  ): Promise<JsonText<Page<EvaluationResult>>> {
    const filters = filtersOf(view, input);
    return this.db.list<EvaluationResult>(viewOf(filters), companyId, { ...input, filters });
  }

  ofRequest(companyId: number, requestId: string): Promise<EvaluationResult[]> {
    return this.db.select<EvaluationResult>(companyId, RESULTS_OF_REQUEST, [requestId]);
  }

  readIn(tx: Tx, ids: readonly number[]): Promise<EvaluationResult[]> {
    return tx.query<EvaluationResult>(RESULTS_BY_IDS, [tx.companyId, ids]);
  }

  /** Ids of results that are stored later. */
  async reserve(companyId: number, count: number): Promise<number[]> {
    const rows = await this.db.select<{ id: number }>(companyId, RESERVE_RESULT_IDS, [count]);
    return rows.map(({ id }) => Number(id));
  }
}
