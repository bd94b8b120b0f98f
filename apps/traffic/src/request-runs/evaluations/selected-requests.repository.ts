import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { type IdRange, idRangeOf, windowsOf } from '../../request-reads/index.js';
import type { JudgedRequest } from '../../request-records/index.js';
import { EXTENT_OF_SELECTION, PAGE_OF_SELECTION } from './selected-requests.sql.js';

export interface RequestSelection {
  application_id: number;
  intent_id: number;
  start_date: number;
  end_date: number;
  /** The newest ones; null = all. */
  request_limit?: number | null | undefined;
}

/** A selection as a range of serial numbers. */
export interface SelectionRange {
  count: number;
  /** Serial number before the first. */
  cursor: number;
  upto: number;
  prompt_tokens: number;
  completion_tokens: number;
}

export interface SelectedRequest extends JudgedRequest {
  id: number;
}

const valuesOf = ({ application_id, intent_id, start_date, end_date }: RequestSelection): unknown[] => [
  application_id,
  intent_id,
  start_date,
  end_date,
];

type WindowExtent = Omit<SelectionRange, 'cursor' | 'upto'> & Record<'cursor' | 'upto', number | null>;

/** SQL: reads by windows of serial numbers, so that each statement costs the same. */
@Injectable()
export class SelectedRequests {
  constructor(private readonly db: Database) {}

  /** From the newest on, because the limit is that of the newest. */
  async extent(companyId: number, selection: RequestSelection): Promise<SelectionRange> {
    const extent = { count: 0, cursor: 0, upto: 0, prompt_tokens: 0, completion_tokens: 0 };
    const limit = selection.request_limit ?? Infinity;
    const all = await idRangeOf(this.db, companyId);
    for await (const window of windowsOf(this.db, companyId, all, 'DESC')) {
      const left = limit - extent.count;
      if (left <= 0) break;
      const values = [...valuesOf(selection), window.cursor, window.upto, left === Infinity ? null : left];
      const [row] = await this.db.select<WindowExtent>(companyId, EXTENT_OF_SELECTION, values);
      if (row?.cursor == null) continue;
      extent.cursor = row.cursor;
      extent.upto ||= row.upto ?? 0;
      for (const sum of ['count', 'prompt_tokens', 'completion_tokens'] as const) extent[sum] += row[sum];
    }
    return extent;
  }

  /** Fewer than `limit` when there are no more. */
  async after(
    companyId: number,
    selection: RequestSelection,
    range: IdRange,
    limit: number,
  ): Promise<SelectedRequest[]> {
    const found: SelectedRequest[] = [];
    for await (const window of windowsOf(this.db, companyId, range)) {
      const values = [...valuesOf(selection), window.cursor, window.upto];
      const page = await this.db.select<SelectedRequest>(companyId, PAGE_OF_SELECTION(limit), values);
      found.push(...page.slice(0, limit - found.length));
      if (found.length === limit) break;
    }
    return found;
  }
}
