import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
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

/** SQL: pages by the serial number, so that each page costs the same. */
@Injectable()
export class SelectedRequests {
  constructor(private readonly db: Database) {}

  async extent(companyId: number, selection: RequestSelection): Promise<SelectionRange> {
    const [row] = await this.db.select<SelectionRange>(companyId, EXTENT_OF_SELECTION, [
      ...valuesOf(selection),
      selection.request_limit ?? null,
    ]);
    return row ?? { count: 0, cursor: 0, upto: 0, prompt_tokens: 0, completion_tokens: 0 };
  }

  after(
    companyId: number,
    selection: RequestSelection,
    range: { cursor: number; upto: number },
    limit: number,
  ): Promise<SelectedRequest[]> {
    return this.db.select<SelectedRequest>(companyId, PAGE_OF_SELECTION(limit), [
      ...valuesOf(selection),
      range.cursor,
      range.upto,
    ]);
  }
}
