import { Injectable } from '@nestjs/common';
import { invalidField, JsonText, type Page, type TimelineEvent } from '@signalbox/contracts';
import { Database, mustBeOneOf } from '@signalbox/database';

interface PageWish {
  offset: number;
  limit: number;
  search?: string;
  sort: string;
}

/** How a timeline may be sorted. Chosen: `-id`, by which every list is sorted unless asked otherwise, is oldest first. */
const ORDERS: Readonly<Record<string, string>> = {
  id: 'ASC',
  '-id': 'ASC',
  date_created: 'ASC',
  date_updated: 'ASC',
  '-date_created': 'DESC',
  '-date_updated': 'DESC',
};

/** What happened in tasks and sessions, oldest first unless asked otherwise. */
@Injectable()
export class Timeline {
  constructor(private readonly db: Database) {}

  ofTask(companyId: number, taskId: string, wish: PageWish): Promise<JsonText<Page<TimelineEvent>>> {
    return this.page(companyId, 't.task_id = $2::uuid', taskId, wish);
  }

  ofSession(companyId: number, sessionNo: number, wish: PageWish): Promise<JsonText<Page<TimelineEvent>>> {
    return this.page(companyId, 't.session_no = $2::int', sessionNo, wish);
  }

  private async page(companyId: number, about: string, key: string | number, wish: PageWish) {
    const { offset, limit, search, sort } = wish;
    const order = Object.hasOwn(ORDERS, sort) ? ORDERS[sort] : undefined;
    if (!order) throw invalidField('sort', mustBeOneOf(['id', 'date_created', 'date_updated']));
    const like = search ? `%${search.replace(/[\\%_]/g, '\\$&')}%` : null;
    const where = `t.company_id = s.company AND ${about} AND ($5::text IS NULL OR t.data::text ILIKE $5)`;
    const rows = await this.db.select<{ page: string }>(
      companyId,
      `SELECT x.page FROM s, LATERAL (SELECT json_build_object(
         'data', COALESCE((SELECT json_agg(f.entry ORDER BY f.no ${order}) FROM (
           SELECT t.no, jsonb_build_object('type', t.type, 'timestamp', t.timestamp, 'task_id', t.task_id) || t.data AS entry
           FROM agents.task_timeline t WHERE ${where} ORDER BY t.no ${order} LIMIT $4::int OFFSET $3::bigint) f), '[]'::json),
         'pagination', json_build_object('total', (SELECT count(*) FROM agents.task_timeline t WHERE ${where}),
           'offset', $3::bigint, 'limit', $4::int))::text AS page OFFSET 0) x`,
      [key, offset, limit, like],
    );
    return new JsonText<Page<TimelineEvent>>(rows[0]?.page ?? 'null');
  }
}
