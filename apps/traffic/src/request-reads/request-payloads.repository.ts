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
import { DAY_MS, NEWEST_OF_INTENT, READ_PAYLOADS } from './request-payloads.sql.js';

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
  own: number;
}

const textOf = ({ request_id, params, response, model, metadata, date_created }: JudgedRow): string =>
  `{"source_id":"${request_id}","payload":{"request_id":"${request_id}","messages":${
    params === null || params === 'null' ? '[]' : params
  },"response":${response ?? 'null'},"model":${JSON.stringify(model)},"metadata":${metadata}},"sampled_at":${date_created}}`;

/** SQL: the rows that fit into one reply are selected by a running sum of their bytes. */
@Injectable()
export class RequestPayloads {
  constructor(
    private readonly db: Database,
    private readonly parts: PayloadOffload,
  ) {}

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

  /** Usually the requests of the last day; all partitions are read only when one of them is missing. */
  private async rowsOf(companyId: number, ids: readonly string[]): Promise<JudgedRow[]> {
    const recent = await this.db.select<JudgedRow>(companyId, READ_PAYLOADS, [ids, Date.now() - DAY_MS]);
    const isEnd = recent.length === ids.length || bytesOf(recent) >= PAYLOAD_REPLY_BYTES;
    const isWhole = isEnd && recent.at(-1)?.n === recent.length;
    return isWhole ? recent : this.db.select<JudgedRow>(companyId, READ_PAYLOADS, [ids, 0]);
  }

  private async filled(row: JudgedRow, objects: PartKeys): Promise<JudgedRow> {
    const parsed = { params: jsonIn(row.params), response: jsonIn(row.response) };
    const { params, response } = await this.parts.fill(parsed, objects);
    const { messages } = (params ?? {}) as { messages?: unknown };
    return { ...row, params: JSON.stringify(messages ?? []), response: JSON.stringify(response) };
  }

  async newest(companyId: number, intentId: number): Promise<SourcePayload | null> {
    const [row] = await this.db.select<JudgedRow>(companyId, NEWEST_OF_INTENT, [intentId]);
    if (!row) return null;
    const whole = row.objects === null ? row : await this.filled(row, row.objects);
    return JSON.parse(textOf(whole)) as SourcePayload;
  }
}

const bytesOf = (rows: readonly JudgedRow[]): number => rows.reduce((sum, { own }) => sum + own, 0);
const jsonIn = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
