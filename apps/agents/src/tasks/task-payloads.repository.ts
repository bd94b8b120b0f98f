import { Injectable } from '@nestjs/common';
import { PAYLOAD_REPLY_BYTES, type SourcePayload, type SourcePayloads } from '@signalbox/contracts';
import { Database } from '@signalbox/database';

const PAYLOAD = `json_build_object('source_id', t.id, 'sampled_at', t.completed_at, 'payload', json_build_object(
  'task_id', t.id, 'input_messages', t.input_messages, 'output', t.output,
  'state', COALESCE((SELECT x.state FROM agents.sessions x WHERE x.company_id = t.company_id AND x.id = t.session_no), '{}')))::text AS body`;

/**
 * Tasks as monitors judge them.
 *
 * SQL: payloads are built as JSON in Postgres, and those that fit into one reply are cut by a running sum of their bytes.
 */
@Injectable()
export class TaskPayloads {
  constructor(private readonly db: Database) {}

  /** The payloads of the first tasks that have ended and fit into one reply. */
  async read(companyId: number, ids: readonly string[]): Promise<SourcePayloads> {
    const rows = await this.db.select<{ n: number; body: string; found: number }>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT n, body, found FROM (
         SELECT n, body, octet_length(body) AS own, sum(octet_length(body)) OVER (ORDER BY n) AS bytes, count(*) OVER ()::int AS found
         FROM (SELECT g.n, ${PAYLOAD} FROM unnest($2::uuid[]) WITH ORDINALITY g(id, n)
           JOIN agents.tasks t ON t.company_id = s.company AND t.id = g.id WHERE t.completed_at IS NOT NULL OFFSET 0) p
       ) b WHERE b.bytes - b.own < ${PAYLOAD_REPLY_BYTES} ORDER BY b.n) r`,
      [ids],
    );
    const last = rows.at(-1);
    return {
      payloads: rows.map(({ body }) => JSON.parse(body) as SourcePayload),
      read: last && last.found > rows.length ? last.n : ids.length,
    };
  }

  /** The newest completed top-level task of an agent that was no test. */
  async newest(companyId: number, agentId: number): Promise<SourcePayload | null> {
    const [row] = await this.db.select<{ body: string }>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT ${PAYLOAD} FROM agents.tasks t
         WHERE t.company_id = s.company AND t.agent_id = $2 AND t.status = 'COMPLETED' AND t.parent_task_id IS NULL
           AND t.trigger IN ('API', 'CHAT', 'WORKFLOW') ORDER BY t.no DESC LIMIT 1) r`,
      [agentId],
    );
    return row ? (JSON.parse(row.body) as SourcePayload) : null;
  }
}
