import { invalidField, JsonText, type Page, type TimelineEvent } from '@signalbox/contracts';
import { type Database, likeTextInJson, mustBeOneOf } from '@signalbox/database';
import type { TimelinePages } from './run-timeline.sql.js';

export interface TimelinePage {
  offset: number;
  limit: number;
  search?: string;
  sort: string;
}

/** `-id`, the default order of every list, means oldest first here. */
const ORDERS: Readonly<Record<string, 'ASC' | 'DESC'>> = {
  id: 'ASC',
  '-id': 'ASC',
  date_created: 'ASC',
  date_updated: 'ASC',
  '-date_created': 'DESC',
  '-date_updated': 'DESC',
};

/**
 * Oldest first by default.
 * SQL: descendants are found by recursion, and the page is built as JSON. Of events that are not on the page only keys
 * are read, and they are counted once per page, so that a timeline of many thousand events can be read to its end.
 */
export class RunTimeline {
  constructor(
    private readonly db: Database,
    private readonly pages: TimelinePages,
  ) {}

  ofRun(
    companyId: number,
    runId: string,
    page: TimelinePage,
    children: boolean,
  ): Promise<JsonText<Page<TimelineEvent>>> {
    return this.page(companyId, children ? 'family' : 'run', runId, page);
  }

  ofColumn(companyId: number, column: string, value: number, page: TimelinePage) {
    return this.page(companyId, column, value, page);
  }

  private async page(companyId: number, of: string, value: string | number, page: TimelinePage) {
    const { offset, limit, search, sort } = page;
    const order = Object.hasOwn(ORDERS, sort) ? ORDERS[sort] : undefined;
    if (!order) throw invalidField('sort', mustBeOneOf(['id', 'date_created', 'date_updated']));
    const like = search ? likeTextInJson(search) : null;
    const values = [value, offset, limit, like];
    const rows = await this.db.select<{ page: string }>(companyId, this.pages(of, order), values);
    return new JsonText<Page<TimelineEvent>>(rows[0]?.page ?? 'null');
  }
}
