import { invalidField, JsonText, type Page, type TimelineEvent } from '@signalbox/contracts';
import { type Database, likeTextInJson, mustBeOneOf } from '@signalbox/database';
import type { RunTables } from '../run-kind.js';

export interface TimelinePage {
  offset: number;
  limit: number;
  search?: string;
  sort: string;
}

/** `-id`, the default order of every list, means oldest first here. */
const ORDERS: Readonly<Record<string, string>> = {
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
    private readonly tables: RunTables,
    /** SQL over `t`, a timeline row: further fields, a jsonb object or null. */
    private readonly details = 'NULL::jsonb',
  ) {}

  ofRun(
    companyId: number,
    runId: string,
    page: TimelinePage,
    children: boolean,
  ): Promise<JsonText<Page<TimelineEvent>>> {
    const { key } = this.tables;
    const condition = children ? `t.${key} IN (${this.descendants()})` : `t.${key} = $2::uuid`;
    return this.page(companyId, condition, runId, page);
  }

  ofColumn(companyId: number, column: string, value: number, page: TimelinePage) {
    return this.page(companyId, `t.${column} = $2::int`, value, page);
  }

  private descendants(): string {
    const { runs, parent } = this.tables;
    if (!parent) return '$2::uuid';
    return `WITH RECURSIVE descendants AS (
        SELECT $2::uuid AS id
        UNION
        SELECT c.id FROM descendants f JOIN ${runs} c ON c.company_id = s.company AND c.${parent} = f.id)
      SELECT id FROM descendants`;
  }

  private entry(): string {
    const { runs, key, parent } = this.tables;
    const parentId = parent
      ? `, '${parent}', (SELECT k.${parent} FROM ${runs} k WHERE k.company_id = t.company_id AND k.id = t.${key})`
      : '';
    return `jsonb_build_object('type', t.type, 'seq', t.seq, 'timestamp', t.timestamp, '${key}', t.${key}${parentId})
      || t.data || COALESCE(${this.details}, '{}')`;
  }

  private async page(companyId: number, condition: string, value: string | number, page: TimelinePage) {
    const { offset, limit, search, sort } = page;
    const order = Object.hasOwn(ORDERS, sort) ? ORDERS[sort] : undefined;
    if (!order) throw invalidField('sort', mustBeOneOf(['id', 'date_created', 'date_updated']));
    const like = search ? likeTextInJson(search) : null;
    const { timeline, key } = this.tables;
    const rows = await this.db.select<{ page: string }>(
      companyId,
      `SELECT x.page FROM s, LATERAL (
         WITH found AS (
           SELECT t.${key}, t.no FROM ${timeline} t
           WHERE t.company_id = s.company AND ${condition} AND ($5::text IS NULL OR t.data::text ILIKE $5)),
         shown AS (SELECT t.* FROM found t ORDER BY t.no ${order} LIMIT $4::int OFFSET $3::bigint),
         begun AS MATERIALIZED (
           SELECT f.${key}, f.no, (SELECT count(*) FROM ${timeline} k
             WHERE k.company_id = s.company AND k.${key} = f.${key} AND k.no < f.no) AS before
           FROM (SELECT ${key}, min(no) AS no FROM shown GROUP BY ${key}) f)
         SELECT json_build_object(
           'data', COALESCE((SELECT json_agg(f.entry ORDER BY f.no ${order}) FROM (
             SELECT t.no, ${this.entry()} AS entry FROM shown p JOIN begun b ON b.${key} = p.${key}, LATERAL (
               SELECT e.*, b.before + (SELECT count(*) FROM ${timeline} k
                 WHERE k.company_id = s.company AND k.${key} = e.${key} AND k.no BETWEEN b.no AND e.no) AS seq
               FROM ${timeline} e WHERE e.company_id = s.company AND e.no = p.no) t) f), '[]'::json),
           'pagination', json_build_object('total', (SELECT count(*) FROM found), 'offset', $3::bigint, 'limit', $4::int)
         )::text AS page OFFSET 0) x`,
      [value, offset, limit, like],
    );
    return new JsonText<Page<TimelineEvent>>(rows[0]?.page ?? 'null');
  }
}
