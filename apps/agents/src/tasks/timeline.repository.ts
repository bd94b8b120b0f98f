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

/** A task and all tasks below it. */
const FAMILY = `WITH RECURSIVE family AS (
    SELECT $2::uuid AS id
    UNION
    SELECT c.id FROM family f JOIN agents.tasks c ON c.company_id = s.company AND c.parent_task_id = f.id)
  SELECT id FROM family`;

/** The sub-agent that an event names and, once it has ended, how. */
const CHILD = `CASE WHEN t.type = 'sub_agent_invoked' THEN (
  SELECT jsonb_build_object('child_agent_id', k.agent_id, 'child_agent_name', a.agent_name)
    || CASE WHEN k.completed_at IS NULL THEN '{}' ELSE jsonb_build_object('result', jsonb_build_object(
      'status', k.status, 'output', COALESCE(NULLIF(k.structured_output, 'null'), k.output->'content'),
      'failure_class', k.failure_class, 'error_message', k.error_message)) END
  FROM agents.tasks k JOIN agents.agents a ON a.company_id = k.company_id AND a.id = k.agent_id
  WHERE k.company_id = t.company_id AND k.id = (t.data->>'child_task_id')::uuid) END`;

const ENTRY = `jsonb_build_object('type', t.type, 'seq', t.seq, 'timestamp', t.timestamp, 'task_id', t.task_id,
  'parent_task_id', (SELECT k.parent_task_id FROM agents.tasks k WHERE k.company_id = t.company_id AND k.id = t.task_id))
  || t.data || COALESCE(${CHILD}, '{}')`;

/** What happened in tasks and sessions, oldest first unless asked otherwise. */
@Injectable()
export class Timeline {
  constructor(private readonly db: Database) {}

  /** The events of a task, and with `children` those of all tasks below it. */
  ofTask(companyId: number, taskId: string, wish: PageWish, children: boolean): Promise<JsonText<Page<TimelineEvent>>> {
    const about = children ? `t.task_id IN (${FAMILY})` : 't.task_id = $2::uuid';
    return this.page(companyId, about, taskId, wish);
  }

  ofSession(companyId: number, sessionNo: number, wish: PageWish): Promise<JsonText<Page<TimelineEvent>>> {
    return this.page(companyId, 't.session_no = $2::int', sessionNo, wish);
  }

  private async page(companyId: number, about: string, key: string | number, wish: PageWish) {
    const { offset, limit, search, sort } = wish;
    const order = Object.hasOwn(ORDERS, sort) ? ORDERS[sort] : undefined;
    if (!order) throw invalidField('sort', mustBeOneOf(['id', 'date_created', 'date_updated']));
    const like = search ? `%${search.replace(/[\\%_]/g, '\\$&')}%` : null;
    const rows = await this.db.select<{ page: string }>(
      companyId,
      `SELECT x.page FROM s, LATERAL (
         WITH numbered AS (
           SELECT t.*, row_number() OVER (PARTITION BY t.task_id ORDER BY t.no) AS seq
           FROM agents.task_timeline t WHERE t.company_id = s.company AND ${about}),
         found AS (SELECT t.* FROM numbered t WHERE $5::text IS NULL OR t.data::text ILIKE $5)
         SELECT json_build_object(
           'data', COALESCE((SELECT json_agg(f.entry ORDER BY f.no ${order}) FROM (
             SELECT t.no, ${ENTRY} AS entry FROM found t ORDER BY t.no ${order} LIMIT $4::int OFFSET $3::bigint) f), '[]'::json),
           'pagination', json_build_object('total', (SELECT count(*) FROM found), 'offset', $3::bigint, 'limit', $4::int)
         )::text AS page OFFSET 0) x`,
      [key, offset, limit, like],
    );
    return new JsonText<Page<TimelineEvent>>(rows[0]?.page ?? 'null');
  }
}
