import { Injectable } from '@nestjs/common';
import type { evaluations, InputOf, JsonText, Page, RequestEvaluationResults } from '@signalbox/contracts';
import { JsonText as Json } from '@signalbox/contracts';
import { Database, likeText } from '@signalbox/database';
import { orderOf, PAGE_OF_RESULTS } from './run-results.sql.js';

type Input = InputOf<typeof evaluations.endpoints.listRunResults>;

/** SQL: a page of requests and their results are one statement. */
@Injectable()
export class RunResults {
  constructor(private readonly db: Database) {}

  async list(companyId: number, input: Input): Promise<JsonText<Page<RequestEvaluationResults>>> {
    const { evaluation_id, status = null, sentinel_id = null, failure_class = null, search, limit, offset } = input;
    const [row] = await this.db.select<{ page: string }>(companyId, PAGE_OF_RESULTS(orderOf(input.sort)), [
      evaluation_id,
      status,
      sentinel_id,
      failure_class,
      search ? likeText(search) : null,
      limit,
      offset,
    ]);
    return new Json<Page<RequestEvaluationResults>>(row?.page ?? '');
  }
}
