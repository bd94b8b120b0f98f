import { Injectable } from '@nestjs/common';
import type { Grouping } from '@signalbox/contracts';
import { Database } from '@signalbox/database';

/** Tables and columns of the names; deleted rows keep their names. */
const NAMES: Partial<Record<Grouping, { table: string; column: string }>> = {
  application: { table: 'traffic.applications', column: 'application_name' },
  intent: { table: 'traffic.intents', column: 'action_type' },
  intent_group: { table: 'traffic.intent_groups', column: 'intent_group_name' },
};

/**
 * Labels of series.
 *
 * SQL: the names of all keys of a series are one read.
 */
@Injectable()
export class SeriesLabels {
  constructor(private readonly db: Database) {}

  /** The labels of keys; a key without a name is its own label. */
  async of(companyId: number, grouping: Grouping, keys: readonly string[]): Promise<(key: string) => string> {
    const known = NAMES[grouping];
    const ids = keys.map(Number).filter(Number.isInteger);
    if (!known || ids.length === 0) return (key) => key;
    const rows = await this.db.select<{ id: number; name: string }>(
      companyId,
      `SELECT n.* FROM s, LATERAL (SELECT t.id, t.${known.column} AS name FROM ${known.table} t
         WHERE t.company_id = s.company AND t.id = ANY($2::int[]) OFFSET 0) n`,
      [ids],
    );
    const names = new Map(rows.map(({ id, name }) => [String(id), name]));
    return (key) => names.get(key) ?? key;
  }
}
