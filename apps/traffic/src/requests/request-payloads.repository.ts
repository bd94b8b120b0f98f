import { Injectable } from '@nestjs/common';
import { MAX_PAYLOAD_BYTES, PAYLOAD_REPLY_BYTES, type SourcePayload, type SourcePayloads } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { PartKeys } from '../payload-offload/offloaded-objects.repository.js';
import { PayloadOffload } from '../payload-offload/payload-offload.js';

interface JudgedRow {
  n: number;
  request_id: string;
  params: { messages?: unknown };
  response: Record<string, unknown> | null;
  model: string;
  metadata: Record<string, unknown>;
  date_created: number;
  objects: PartKeys | null;
  /** Bytes of its bodies. */
  own: number;
}

const COLUMNS = 't.request_id, t.params, t.response, t.model, t.metadata, t.date_created, t.objects';
const BYTES = 'octet_length(t.params::text) + coalesce(octet_length(t.response::text), 0)';

const payloadOf = ({ request_id, params, response, model, metadata, date_created }: JudgedRow): SourcePayload => ({
  source_id: request_id,
  payload: { request_id, messages: params.messages ?? [], response, model, metadata },
  sampled_at: date_created,
});

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
  async read(companyId: number, ids: readonly string[]): Promise<SourcePayloads> {
    const rows = await this.db.select<JudgedRow>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT * FROM (
         SELECT b.*, sum(b.own) OVER (ORDER BY b.n) AS bytes FROM (
           SELECT g.n, ${COLUMNS}, ${BYTES} AS own FROM unnest($2::uuid[]) WITH ORDINALITY g(id, n)
           JOIN traffic.requests t ON t.company_id = s.company AND t.request_id = g.id
           WHERE t.deleted_at IS NULL OFFSET 0) b) b
         WHERE b.bytes - b.own < ${PAYLOAD_REPLY_BYTES} ORDER BY b.n OFFSET 0) r`,
      [ids],
    );
    const isCut = rows.reduce((sum, { own }) => sum + own, 0) >= PAYLOAD_REPLY_BYTES;
    const payloads: SourcePayload[] = [];
    let bytes = 0;
    for (const row of rows) {
      const filled = await this.parts.fill(row, row.objects ?? {});
      // Parts from the object store count with their full size.
      const own = row.objects === null ? row.own : Buffer.byteLength(JSON.stringify(filled));
      if (own > MAX_PAYLOAD_BYTES) continue;
      bytes += row.objects === null ? 0 : own;
      if (bytes > PAYLOAD_REPLY_BYTES && payloads.length > 0) return { payloads, read: row.n - 1 };
      payloads.push(payloadOf(filled));
    }
    const last = rows.at(-1);
    return { payloads, read: last && isCut ? last.n : ids.length };
  }

  /** The newest production request of an intent that was answered. */
  async newest(companyId: number, intentId: number): Promise<SourcePayload | null> {
    const [row] = await this.db.select<JudgedRow>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT 1 AS n, ${COLUMNS}, ${BYTES} AS own FROM traffic.requests t
         WHERE t.company_id = s.company AND t.intent_id = $2 AND t.request_type = 'PROD' AND t.status = 'COMPLETED'
           AND t.deleted_at IS NULL ORDER BY t.date_created DESC, t.id DESC LIMIT 1) r`,
      [intentId],
    );
    return row ? payloadOf(await this.parts.fill(row, row.objects ?? {})) : null;
  }
}
