import { Injectable } from '@nestjs/common';
import {
  MAX_PAYLOAD_BYTES,
  PAYLOAD_REPLY_BYTES,
  type RequestFilter,
  type SelectedRequests,
  type TrainingSource,
  type TrainingSources,
} from '@signalbox/contracts';
import { Database, placedValues } from '@signalbox/database';
import { type PartKeys, PayloadOffload } from '../../payload-offload/index.js';
import { idRangeOf, windowsOf } from '../../request-reads/index.js';
import { conditionsOf } from '../../request-records/index.js';
import { FIND_TAGGED, READ_SOURCES, SELECT_ANSWERED } from './request-sources.sql.js';

interface AnsweredRequest {
  id: number;
  request_id: string;
}

interface SourceRow extends TrainingSource {
  n: number;
  found: number;
  objects: PartKeys | null;
  own: number;
}

/** Far below the time-out of a call. */
const SELECTION_MS = 5000;

/** A source that is too large for a reply is sent without its bodies. */
const sourceOf = ({ request_id, params, response, corrected_response }: SourceRow, bytes: number): TrainingSource =>
  bytes > MAX_PAYLOAD_BYTES
    ? { request_id, params: {}, response: null, corrected_response: null, oversize_bytes: bytes }
    : { request_id, params, response, corrected_response, oversize_bytes: null };

/**
 * SQL: the rows that fit into one reply are selected by a running sum of their bytes, and a selection is read
 * by windows of serial numbers.
 */
@Injectable()
export class RequestSources {
  constructor(
    private readonly db: Database,
    private readonly parts: PayloadOffload,
  ) {}

  async read(companyId: number, ids: readonly string[]): Promise<TrainingSources> {
    const rows = await this.db.select<SourceRow>(companyId, READ_SOURCES, [ids]);
    const sources: TrainingSource[] = [];
    let bytes = 0;
    for (const row of rows) {
      const filled = await this.parts.fill(row, row.objects ?? {});
      const own = row.objects === null ? row.own : Buffer.byteLength(JSON.stringify(filled));
      bytes += row.objects === null || own > MAX_PAYLOAD_BYTES ? 0 : own;
      if (bytes > PAYLOAD_REPLY_BYTES && sources.length > 0) return { sources, read: row.n - 1 };
      sources.push(sourceOf(filled, own));
    }
    const last = rows.at(-1);
    return { sources, read: last && last.found > rows.length ? last.n : ids.length };
  }

  /** By windows, for at most about `timeMs`: then a page has fewer than `limit`, and the selection continues `before`. */
  async select(
    companyId: number,
    filter: RequestFilter,
    { before, limit, timeMs = SELECTION_MS }: { before: number | null; limit: number; timeMs?: number },
  ): Promise<SelectedRequests> {
    const conditions = conditionsOf(filter);
    const all = await idRangeOf(this.db, companyId);
    const range = before === null ? all : { ...all, upto: Math.min(all.upto, before - 1) };
    const endsAt = performance.now() + timeMs;
    const request_ids: string[] = [];
    for await (const { cursor, upto } of windowsOf(this.db, companyId, range, 'DESC')) {
      const values = [cursor, upto, limit - request_ids.length, ...placedValues(conditions)];
      const rows = await this.db.select<AnsweredRequest>(companyId, SELECT_ANSWERED(conditions), values);
      request_ids.push(...rows.map(({ request_id }) => request_id));
      const last = rows.at(-1);
      if (last && request_ids.length === limit) return { request_ids, before: last.id };
      if (performance.now() >= endsAt && cursor > range.cursor) return { request_ids, before: cursor + 1 };
    }
    return { request_ids, before: null };
  }

  async tagged(companyId: number, tagIds: readonly number[], ids: readonly string[]): Promise<string[]> {
    const rows = await this.db.select<{ request_id: string }>(companyId, FIND_TAGGED, [tagIds, ids]);
    return rows.map(({ request_id }) => request_id);
  }
}
