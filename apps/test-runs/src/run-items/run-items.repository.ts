import { Injectable } from '@nestjs/common';
import {
  type ItemScore,
  type JsonText,
  notFound,
  type Page,
  type RunItem,
  type RunItemAttempt,
  type RunItemSummary,
} from '@signalbox/contracts';
import { Database, type ListOptions, filtersOf } from '@signalbox/database';
import { ITEM_OF_RUN, attemptView, itemView, scoreView } from './run-items.sql.js';

export interface ItemFilters {
  status?: string[];
  outcome?: string[];
  failure_class?: string[];
  matched?: boolean;
}

/** SQL: items are found by run, and their history by item. */
@Injectable()
export class RunItems {
  constructor(private readonly db: Database) {}

  list(companyId: number, runId: string, options: ListOptions & ItemFilters): Promise<JsonText<Page<RunItemSummary>>> {
    const filters = filtersOf(itemView, { ...options, run_id: runId });
    return this.db.list(itemView, companyId, { ...options, filters });
  }

  async get(companyId: number, runId: string, id: number): Promise<JsonText<RunItem>> {
    await this.require(companyId, runId, id);
    return (await this.db.readOne<RunItem>(itemView, companyId, id)) ?? missing();
  }

  async attempts(
    companyId: number,
    runId: string,
    id: number,
    query: ListOptions,
  ): Promise<JsonText<Page<RunItemAttempt>>> {
    await this.require(companyId, runId, id);
    return this.db.list(attemptView, companyId, { ...query, filters: filtersOf(attemptView, { run_item_id: id }) });
  }

  async scores(companyId: number, runId: string, id: number, query: ListOptions): Promise<JsonText<Page<ItemScore>>> {
    await this.require(companyId, runId, id);
    return this.db.list(scoreView, companyId, { ...query, filters: filtersOf(scoreView, { run_item_id: id }) });
  }

  private async require(companyId: number, runId: string, id: number): Promise<void> {
    const found = await this.db.select(companyId, ITEM_OF_RUN, [id, runId]);
    if (found.length === 0) missing();
  }
}

const missing = (): never => {
  throw notFound('item');
};
