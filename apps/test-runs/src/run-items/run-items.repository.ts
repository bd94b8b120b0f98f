import { Injectable } from '@nestjs/common';
import {
  type ItemScore,
  type JsonText,
  notFound,
  type Page,
  type RunItem,
  type RunItemAttempt,
  type RunItemSummary,
} from '@signalbox/contracts';
import { Database, type Filter, type ListOptions, type View } from '@signalbox/database';
import { itemUsage } from '../run-records/index.js';

const RUN = '(SELECT r.no FROM "test-runs".runs r WHERE r.company_id = t.company_id AND r.id = t.run_id)';
const scored = (column: string): string =>
  `(SELECT s.${column} FROM "test-runs".run_scores s WHERE s.company_id = t.company_id AND s.id = t.score_id)`;
const first = (column: string): string =>
  `(SELECT a.${column} FROM "test-runs".run_attempts a
    WHERE a.company_id = t.company_id AND a.run_item_id = t.id AND a.is_current ORDER BY a.repeat LIMIT 1)`;

const OUTCOME = `CASE WHEN t.status = 'FAILED' THEN 'ERROR' WHEN t.status <> 'COMPLETED' THEN NULL
  WHEN t.matched THEN 'PASS' WHEN NOT t.matched THEN 'FAIL' END`;

/** The wire format of an item. */
export const itemView: View = {
  resource: 'item',
  table: '"test-runs".run_items',
  columns: [
    'id',
    'test_set_item_id',
    'status',
    'failure_class',
    'error_code',
    'error_message',
    'matched',
    'agreement',
    'attempts',
    'started_at',
    'completed_at',
    'scored_at',
    'date_created',
    'date_updated',
  ],
  computed: {
    test_run_id: RUN,
    outcome: OUTCOME,
    source_ref: first('source_ref'),
    duration_ms: first('duration_ms'),
    usage: itemUsage('t'),
    cost: `(${itemUsage('t')}->>'cost')::float8`,
    expectation_source: `COALESCE(${scored('expectation_source')}, CASE WHEN t.baseline IS NULL THEN 'none' ELSE 'baseline' END)`,
    response_sub_id: scored('response_sub_id'),
  },
  bodies: {
    adapted_input: 't.adapted_input',
    actual_output: first('actual_output'),
    expected_output_used: `COALESCE(${scored('expected_output_used')}, t.baseline)`,
    diff_result: scored('diff_result'),
    criteria_results: `COALESCE(${scored('criteria_results')}, '[]'::json)`,
  },
  detail: {
    attempts_results: `(SELECT COALESCE(json_agg(json_build_object('repeat', a.repeat, 'status', a.status,
        'failure_class', a.failure_class, 'actual_output', a.actual_output,
        'matched', CASE WHEN s.matched <> '{}' THEN s.matched[a.repeat] ELSE a.matched END, 'duration_ms', a.duration_ms,
        'source_ref', a.source_ref) ORDER BY a.repeat), '[]'::json)
      FROM "test-runs".run_attempts a, (SELECT ${scored('repeats_matched')} AS matched) s
      WHERE a.company_id = t.company_id AND a.run_item_id = t.id AND a.is_current)`,
  },
  sort: { position: 't.position', duration_ms: first('duration_ms'), attempts: 't.attempts' },
  alive: 'true',
};

/** Attempts and scores never change. */
const UNCHANGED = { date_updated: 't.date_created' };

const attemptView: View = {
  resource: 'attempt',
  table: '"test-runs".run_attempts',
  columns: [
    'id',
    'attempt',
    'repeat',
    'status',
    'failure_class',
    'error_message',
    'duration_ms',
    'source_ref',
    'started_at',
    'completed_at',
    'date_created',
  ],
  sort: { attempt: 't.attempt', ...UNCHANGED },
  alive: 'true',
};

const scoreView: View = {
  resource: 'score',
  table: '"test-runs".run_scores',
  columns: [
    'id',
    'run_item_id',
    'attempt',
    'expectation_source',
    'response_sub_id',
    'matched',
    'failure_class',
    'judged_sha256',
    'scored_at',
    'date_created',
  ],
  computed: {
    criteria_ids: `(SELECT c.criteria_ids FROM "test-runs".scorings c WHERE c.company_id = t.company_id AND c.id = t.scoring_id)`,
  },
  bodies: {
    expected_output_used: 't.expected_output_used',
    diff_result: 't.diff_result',
    criteria_results: 't.criteria_results',
  },
  sort: { scored_at: 't.scored_at', ...UNCHANGED },
  alive: 'true',
};

export interface ItemFilters {
  status?: string[];
  outcome?: string[];
  failure_class?: string[];
  matched?: boolean;
}

/**
 * Reads the items of runs.
 *
 * SQL: items are found by run, and their history by item.
 */
@Injectable()
export class RunItems {
  constructor(private readonly db: Database) {}

  list(companyId: number, runId: string, options: ListOptions & ItemFilters): Promise<JsonText<Page<RunItemSummary>>> {
    const { status, outcome, failure_class, matched } = options;
    const given: [string, unknown][] = [
      ['t.run_id = ?::uuid', runId],
      ['t.status = ANY (?::text[])', status],
      [`${OUTCOME} = ANY (?::text[])`, outcome],
      ['t.failure_class = ANY (?::text[])', failure_class],
      ['t.matched = ?', matched],
    ];
    const filters: Filter[] = given.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
    return this.db.list(itemView, companyId, { ...options, filters });
  }

  async get(companyId: number, runId: string, id: number): Promise<JsonText<RunItem>> {
    await this.require(companyId, runId, id);
    return (await this.db.readOne<RunItem>(itemView, companyId, id)) ?? missing();
  }

  async attempts(
    companyId: number,
    runId: string,
    id: number,
    query: ListOptions,
  ): Promise<JsonText<Page<RunItemAttempt>>> {
    await this.require(companyId, runId, id);
    return this.db.list(attemptView, companyId, { ...query, filters: [{ sql: 't.run_item_id = ?', value: id }] });
  }

  async scores(companyId: number, runId: string, id: number, query: ListOptions): Promise<JsonText<Page<ItemScore>>> {
    await this.require(companyId, runId, id);
    return this.db.list(scoreView, companyId, { ...query, filters: [{ sql: 't.run_item_id = ?', value: id }] });
  }

  /** 404 when the item does not belong to the run. */
  private async require(companyId: number, runId: string, id: number): Promise<void> {
    const found = await this.db.select(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT 1 AS found FROM "test-runs".run_items t
         WHERE t.company_id = s.company AND t.id = $2 AND t.run_id = $3 OFFSET 0) x`,
      [id, runId],
    );
    if (found.length === 0) missing();
  }
}

const missing = (): never => {
  throw notFound('item');
};
