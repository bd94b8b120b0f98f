import { Injectable } from '@nestjs/common';
import {
  JsonText,
  MAX_PAYLOAD_BYTES,
  PAYLOAD_REPLY_BYTES,
  type SourcePayload,
  type SourcePayloads,
} from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { type PartKeys, PayloadOffload } from '../payload-offload/index.js';

interface JudgedRow {
  n: number;
  request_id: string;
  /** JSON of the messages; of all parameters when a part of the request is in the object store. */
  params: string | null;
  response: string | null;
  model: string;
  metadata: string;
  date_created: number;
  objects: PartKeys | null;
  /** Bytes of its bodies. */
  own: number;
}

/** Bodies stay text: they are passed on, and nothing here reads them. */
const COLUMNS = `t.request_id, (CASE WHEN t.objects IS NULL THEN t.params->'messages' ELSE t.params END)::text AS params,
  t.response::text AS response, t.model, t.metadata::text AS metadata, t.date_created, t.objects,
  octet_length(t.params::text) + coalesce(octet_length(t.response::text), 0) AS own`;

const DAY_MS = 86_400_000;

/**
 * The ids are looked up by the primary key. The order leaves it alone to the planner: with the statistics of a partition
 * that was empty a moment ago it would join all requests of the company with the ids, or find them by their time. The times
 * leave out the partitions of other days.
 */
const READ = `SELECT r.* FROM s, LATERAL (SELECT * FROM (
    SELECT b.*, sum(b.own) OVER (ORDER BY b.n) AS bytes FROM (
      SELECT g.n, f.* FROM (
        SELECT ${COLUMNS} FROM traffic.requests t
        WHERE t.company_id = s.company AND t.request_id = ANY($2::uuid[]) AND t.deleted_at IS NULL
          AND t.date_created >= $3::bigint AND t.date_created < (extract(epoch FROM now()) * 1000)::bigint + ${DAY_MS}
        ORDER BY t.company_id, t.request_id OFFSET 0) f
      JOIN unnest($2::uuid[]) WITH ORDINALITY g(id, n) ON g.id = f.request_id OFFSET 0) b) b
  WHERE b.bytes - b.own < ${PAYLOAD_REPLY_BYTES} ORDER BY b.n OFFSET 0) r`;

/** The payload of a row as JSON text. */
const textOf = ({ request_id, params, response, model, metadata, date_created }: JudgedRow): string =>
  `{"source_id":"${request_id}","payload":{"request_id":"${request_id}","messages":${
    params === null || params === 'null' ? '[]' : params
  },"response":${response ?? 'null'},"model":${JSON.stringify(model)},"metadata":${metadata}},"sampled_at":${date_created}}`;

/**
 * Recorded requests as monitors judge them.
 *
 * SQL: the rows that fit into one reply are cut by a running sum of their bytes.
 */
@Injectable()
export class RequestPayloads {
  constructor(
    private readonly db: Database,
    private readonly parts: PayloadOffload,
  ) {}

  /** The payloads of the first requests that fit into one reply; large parts are brought back from the object store. */
  async read(companyId: number, ids: readonly string[]): Promise<JsonText<SourcePayloads>> {
    const rows = await this.rowsOf(companyId, ids);
    const isCut = bytesOf(rows) >= PAYLOAD_REPLY_BYTES;
    const payloads: string[] = [];
    const reply = (read: number) => new JsonText<SourcePayloads>(`{"payloads":[${payloads.join(',')}],"read":${read}}`);
    let bytes = 0;
    for (const row of rows) {
      const text = textOf(row.objects === null ? row : await this.filled(row, row.objects));
      // Parts from the object store count with their full size.
      const own = row.objects === null ? row.own : Buffer.byteLength(text);
      if (own > MAX_PAYLOAD_BYTES) continue;
      bytes += row.objects === null ? 0 : own;
      if (bytes > PAYLOAD_REPLY_BYTES && payloads.length > 0) return reply(row.n - 1);
      payloads.push(text);
    }
    const last = rows.at(-1);
    return reply(last && isCut ? last.n : ids.length);
  }

  /** As a rule the requests of the last day: only when one of them is missing, all partitions are asked. */
  private async rowsOf(companyId: number, ids: readonly string[]): Promise<JudgedRow[]> {
    const recent = await this.db.select<JudgedRow>(companyId, READ, [ids, Date.now() - DAY_MS]);
    const isEnd = recent.length === ids.length || bytesOf(recent) >= PAYLOAD_REPLY_BYTES;
    const isWhole = isEnd && recent.at(-1)?.n === recent.length;
    return isWhole ? recent : this.db.select<JudgedRow>(companyId, READ, [ids, 0]);
  }

  /** A row with its parts from the object store, of which the messages are taken then. */
  private async filled(row: JudgedRow, objects: PartKeys): Promise<JudgedRow> {
    const parsed = { params: jsonIn(row.params), response: jsonIn(row.response) };
    const { params, response } = await this.parts.fill(parsed, objects);
    const { messages } = (params ?? {}) as { messages?: unknown };
    return { ...row, params: JSON.stringify(messages ?? []), response: JSON.stringify(response) };
  }

  /** The newest production request of an intent that was answered. */
  async newest(companyId: number, intentId: number): Promise<SourcePayload | null> {
    const [row] = await this.db.select<JudgedRow>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT 1 AS n, ${COLUMNS} FROM traffic.requests t
         WHERE t.company_id = s.company AND t.intent_id = $2 AND t.request_type = 'PROD' AND t.status = 'COMPLETED'
           AND t.deleted_at IS NULL ORDER BY t.date_created DESC, t.id DESC LIMIT 1) r`,
      [intentId],
    );
    if (!row) return null;
    const whole = row.objects === null ? row : await this.filled(row, row.objects);
    return JSON.parse(textOf(whole)) as SourcePayload;
  }
}

const bytesOf = (rows: readonly JudgedRow[]): number => rows.reduce((sum, { own }) => sum + own, 0);
const jsonIn = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
