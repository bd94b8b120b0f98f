import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { JudgedRequest } from '../../request-records/index.js';

/** Which requests of an intent are judged. */
export interface RequestSelection {
  application_id: number;
  intent_id: number;
  start_date: number;
  end_date: number;
  /** The newest ones; null = all. */
  request_limit?: number | null | undefined;
}

/** The requests of a selection by their serial numbers. */
export interface Extent {
  count: number;
  /** Serial number before the first. */
  cursor: number;
  upto: number;
  prompt_tokens: number;
  completion_tokens: number;
}

/** A selected request and its serial number. */
export interface SelectedRequest extends JudgedRequest {
  id: number;
}

/** Answered requests of people and agents, as analytics count them. */
const SELECTED = `t.company_id = s.company AND t.application_id = $2 AND t.intent_id = $3 AND t.date_created >= $4
  AND t.date_created < $5 AND t.status = 'COMPLETED' AND t.response IS NOT NULL AND t.request_type IN ('PROD', 'MANUAL')
  AND t.deleted_at IS NULL`;

const valuesOf = ({ application_id, intent_id, start_date, end_date }: RequestSelection): unknown[] => [
  application_id,
  intent_id,
  start_date,
  end_date,
];

/**
 * The recorded requests that an evaluation run judges.
 *
 * SQL: pages by the serial number, so that each page costs the same.
 */
@Injectable()
export class SelectedRequests {
  constructor(private readonly db: Database) {}

  /** The number of selected requests with their tokens, and the serial numbers around them. */
  async extent(companyId: number, selection: RequestSelection): Promise<Extent> {
    const [row] = await this.db.select<Extent>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS count, COALESCE(min(f.id) - 1, 0)::bigint AS cursor,
           COALESCE(max(f.id), 0)::bigint AS upto, COALESCE(sum(f.prompt_tokens), 0)::bigint AS prompt_tokens,
           COALESCE(sum(f.completion_tokens), 0)::bigint AS completion_tokens
         FROM (SELECT t.id, t.prompt_tokens, t.completion_tokens FROM traffic.requests t WHERE ${SELECTED}
           ORDER BY t.id DESC LIMIT $6::int) f OFFSET 0) x`,
      [...valuesOf(selection), selection.request_limit ?? null],
    );
    return row ?? { count: 0, cursor: 0, upto: 0, prompt_tokens: 0, completion_tokens: 0 };
  }

  /** The selected requests after a serial number, up to another one, oldest first. */
  after(
    companyId: number,
    selection: RequestSelection,
    range: { cursor: number; upto: number },
    limit: number,
  ): Promise<SelectedRequest[]> {
    return this.db.select<SelectedRequest>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.request_id, t.date_created FROM traffic.requests t
         WHERE ${SELECTED} AND t.id > $6::bigint AND t.id <= $7::bigint ORDER BY t.id LIMIT ${limit}) x ORDER BY x.id`,
      [...valuesOf(selection), range.cursor, range.upto],
    );
  }
}
