import { Injectable } from '@nestjs/common';
import { PAYLOAD_REPLY_BYTES, type SourcePayload, type SourcePayloads } from '@signalbox/contracts';
import { Database } from '@signalbox/database';

/** Chosen: the input of a run that was started with messages is an object with those messages. */
const PAYLOAD = `json_build_object('source_id', t.id, 'sampled_at', t.completed_at, 'payload', json_build_object(
  'run_id', t.id, 'input', COALESCE(t.input, CASE WHEN t.messages IS NOT NULL THEN jsonb_build_object('messages', t.messages) END),
  'output', t.output, 'metadata', t.metadata))::text AS body`;

/**
 * Runs of workflows as monitors judge them.
 *
 * SQL: payloads are built as JSON in Postgres, and those that fit into one reply are cut by a running sum of their bytes.
 */
@Injectable()
export class RunPayloads {
  constructor(private readonly db: Database) {}

  /** The payloads of the first runs that have ended and fit into one reply. */
  async read(companyId: number, ids: readonly string[]): Promise<SourcePayloads> {
    const rows = await this.db.select<{ n: number; body: string; found: number }>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT n, body, found FROM (
         SELECT n, body, octet_length(body) AS own, sum(octet_length(body)) OVER (ORDER BY n) AS bytes, count(*) OVER ()::int AS found
         FROM (SELECT g.n, ${PAYLOAD} FROM unnest($2::uuid[]) WITH ORDINALITY g(id, n)
           JOIN workflows.runs t ON t.company_id = s.company AND t.id = g.id WHERE t.completed_at IS NOT NULL OFFSET 0) p
       ) b WHERE b.bytes - b.own < ${PAYLOAD_REPLY_BYTES} ORDER BY b.n) r`,
      [ids],
    );
    const last = rows.at(-1);
    return {
      payloads: rows.map(({ body }) => JSON.parse(body) as SourcePayload),
      read: last && last.found > rows.length ? last.n : ids.length,
    };
  }

  /** The newest completed top-level run of a workflow that was neither a test nor a judgement. */
  async newest(companyId: number, workflowId: number): Promise<SourcePayload | null> {
    const [row] = await this.db.select<{ body: string }>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT ${PAYLOAD} FROM workflows.runs t
         WHERE t.company_id = s.company AND t.workflow_id = $2 AND t.status = 'COMPLETED' AND t.parent_run_id IS NULL
           AND t.trigger IN ('API', 'CHAT', 'AGENT') ORDER BY t.no DESC LIMIT 1) r`,
      [workflowId],
    );
    return row ? (JSON.parse(row.body) as SourcePayload) : null;
  }
}
