import { Injectable } from '@nestjs/common';
import { notFound } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { itemView } from '../run-items/index.js';

/** The bodies of one page, beyond which only its first item is longer. */
const PAGE_BYTES = 2_097_152;
const PAGE_ITEMS = 200;

/** The columns of a file, in their order: the fields of an item. */
export const RUN_FILE_COLUMNS = [
  'id',
  'test_run_id',
  'test_set_item_id',
  'status',
  'failure_class',
  'error_code',
  'error_message',
  'outcome',
  'adapted_input',
  'actual_output',
  'expected_output_used',
  'expectation_source',
  'response_sub_id',
  'matched',
  'diff_result',
  'criteria_results',
  'agreement',
  'duration_ms',
  'usage',
  'cost',
  'attempts',
  'source_ref',
  'started_at',
  'completed_at',
  'scored_at',
  'date_created',
  'date_updated',
] as const;

/** The columns whose texts are not JSON. */
const WORDS = ['status', 'failure_class', 'error_code', 'error_message', 'outcome', 'expectation_source'];

export const JSON_COLUMNS: ReadonlySet<string> = new Set(RUN_FILE_COLUMNS.filter((name) => !WORDS.includes(name)));

/** An item as texts: of JSON, or as they are. */
export type ExportedItem = Record<(typeof RUN_FILE_COLUMNS)[number], string | null> & { position: number };

/** What a report says about a run as a whole. */
export interface ExportedRun {
  no: number;
  name: string | null;
  set_name: string;
  consumer: string;
  total: number;
  mismatched: number;
  errors: number;
  /** Items without a verdict. */
  skipped: number;
  /** Milliseconds that all items took together. */
  duration_ms: number;
  started_at: number | null;
}

const FIELDS: Readonly<Record<string, string>> = { ...itemView.computed, ...itemView.bodies };
const COLUMNS = RUN_FILE_COLUMNS.map((name) => `(${FIELDS[name] ?? `t.${name}`})::text AS ${name}`).join(', ');
const BODY_BYTES = Object.values(itemView.bodies ?? {})
  .map((sql) => `COALESCE(octet_length((${sql})::text), 0)`)
  .join(' + ');

/**
 * Reads the items of a run in pages.
 *
 * SQL: a page ends where its bodies exceed a number of bytes; items are counted by outcome.
 */
@Injectable()
export class ExportedRuns {
  constructor(private readonly db: Database) {}

  async run(companyId: number, id: string): Promise<ExportedRun> {
    const [run] = await this.db.select<ExportedRun>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT r.no::int, r.name, r.started_at, lower(r.consumer_kind) || ' ' || r.consumer_id
           || COALESCE(' ' || r.consumer_version, '') AS consumer, (SELECT z.name FROM "test-runs".test_sets z
             WHERE z.company_id = r.company_id AND z.id = r.test_set_id) AS set_name, c.*
         FROM "test-runs".runs r CROSS JOIN LATERAL (SELECT count(*)::int AS total,
             count(*) FILTER (WHERE t.status = 'COMPLETED' AND NOT t.matched)::int AS mismatched,
             count(*) FILTER (WHERE t.status = 'FAILED')::int AS errors,
             count(*) FILTER (WHERE t.status IN ('PENDING', 'RUNNING') OR t.status = 'COMPLETED' AND t.matched IS NULL)::int AS skipped,
             COALESCE(sum((${FIELDS['duration_ms'] ?? 'NULL'})), 0)::float8 AS duration_ms
           FROM "test-runs".run_items t WHERE t.company_id = r.company_id AND t.run_id = r.id) c
         WHERE r.company_id = s.company AND r.id = $2 OFFSET 0) x`,
      [id],
    );
    if (!run) throw notFound('test run');
    return run;
  }

  /** The items of a run in their order, each read once. */
  async *items(companyId: number, runId: string): AsyncGenerator<ExportedItem[]> {
    for (let after = -1; ;) {
      const page = await this.page(companyId, runId, after);
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last.position;
    }
  }

  private page(companyId: number, runId: string, after: number): Promise<ExportedItem[]> {
    return this.db.select<ExportedItem>(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         SELECT t.position, ${COLUMNS}
         FROM (SELECT m.*, sum(m.bytes) OVER (ORDER BY m.position) - m.bytes AS before FROM (
             SELECT t.*, ${BODY_BYTES} AS bytes FROM "test-runs".run_items t WHERE t.company_id = s.company AND t.run_id = $2
               AND t.position > $3 ORDER BY t.position LIMIT ${PAGE_ITEMS}) m) t
         WHERE t.before < ${PAGE_BYTES} ORDER BY t.position OFFSET 0) x`,
      [runId, after],
    );
  }
}
