import { Injectable } from '@nestjs/common';
import type { Grouping } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { isLabelled, NAMES_OF } from './series-labels.sql.js';

/** SQL: the names of all keys of a series are one read. */
@Injectable()
export class SeriesLabels {
  constructor(private readonly db: Database) {}

  async of(companyId: number, grouping: Grouping, keys: readonly string[]): Promise<(key: string) => string> {
    const ids = keys.map(Number).filter(Number.isInteger);
    if (!isLabelled(grouping) || ids.length === 0) return (key) => key;
    const rows = await this.db.select<{ id: number; name: string }>(companyId, NAMES_OF(grouping), [ids]);
    const names = new Map(rows.map(({ id, name }) => [String(id), name]));
    return (key) => names.get(key) ?? key;
  }
}
