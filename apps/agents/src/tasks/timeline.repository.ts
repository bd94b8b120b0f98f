import { Injectable } from '@nestjs/common';
import { invalidField, JsonText, type Page, type TimelineEvent } from '@signalbox/contracts';
import { Database } from '@signalbox/database';

interface PageWish {
  offset: number;
  limit: number;
  search?: string;
  sort: string;
}

const OLDEST_FIRST = ['id', '-id', 'date_created'];

/** What happened in tasks and sessions, oldest first. */
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
    // Chosen: `-id` is what every list sorts by unless asked otherwise; a timeline is told from its beginning.
    if (!OLDEST_FIRST.includes(sort)) throw invalidField('sort', 'cannot be chosen: a timeline is told oldest first');
    const like = search ? `%${search.replace(/[\\%_]/g, '\\$&')}%` : null;
    const where = `t.company_id = s.company AND ${about} AND ($5::text IS NULL OR t.data::text ILIKE $5)`;
    const rows = await this.db.select<{ page: string }>(
      companyId,
      `SELECT x.page FROM s, LATERAL (SELECT json_build_object(
         'data', COALESCE((SELECT json_agg(f.entry ORDER BY f.no) FROM (
           SELECT t.no, jsonb_build_object('type', t.type, 'timestamp', t.timestamp, 'task_id', t.task_id) || t.data AS entry
           FROM agents.task_timeline t WHERE ${where} ORDER BY t.no LIMIT $4::int OFFSET $3::bigint) f), '[]'::json),
         'pagination', json_build_object('total', (SELECT count(*) FROM agents.task_timeline t WHERE ${where}),
           'offset', $3::bigint, 'limit', $4::int))::text AS page OFFSET 0) x`,
      [key, offset, limit, like],
    );
    return new JsonText<Page<TimelineEvent>>(rows[0]?.page ?? 'null');
  }
}
