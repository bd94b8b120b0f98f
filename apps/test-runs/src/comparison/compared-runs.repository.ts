import { Injectable } from '@nestjs/common';
import { notFound } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { ItemInRun } from './compared-items.js';

/** A run that is compared. */
export interface ComparedRunRow {
  id: number;
  test_set_id: number;
  match_rate: number | null;
  uuid: string;
}

/** The results of one criterion for the items that two runs have scored. */
export interface CriterionPairs {
  criteria_id: number;
  name: string;
  criteria_type: 'BOOLEAN' | 'NUMERIC';
  first: { score: number; passed: boolean }[];
  second: { score: number; passed: boolean }[];
}

const RESULTS = (run: string): string => `SELECT i.test_set_item_id AS item, r.criteria_id, r.name, r.score, r.passed
  FROM "test-runs".run_items i
  JOIN "test-runs".run_scores c ON c.company_id = i.company_id AND c.id = i.score_id
  CROSS JOIN LATERAL json_to_recordset(c.criteria_results) r(criteria_id int, name text, score float8, passed boolean)
  WHERE i.company_id = s.company AND i.run_id = ${run} AND i.status = 'COMPLETED' AND r.passed IS NOT NULL`;

/**
 * Reads runs that are compared.
 *
 * SQL: items are joined across runs by the item of the set.
 */
@Injectable()
export class ComparedRuns {
  constructor(private readonly db: Database) {}

  /** The runs in the given order; 404 when one does not exist. */
  async runs(companyId: number, ids: readonly number[]): Promise<ComparedRunRow[]> {
    const rows = await this.db.select<ComparedRunRow>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.no::int AS id, t.test_set_id, t.match_rate, t.id AS uuid FROM "test-runs".runs t
         WHERE t.company_id = s.company AND t.no = ANY ($2::bigint[]) OFFSET 0) x`,
      [ids],
    );
    return ids.map((id) => {
      const run = rows.find((row) => row.id === id);
      if (!run) throw notFound('test run');
      return run;
    });
  }

  items(companyId: number, runs: readonly ComparedRunRow[]): Promise<ItemInRun[]> {
    return this.db.select<ItemInRun>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT r.no AS test_run_id, t.test_set_item_id,
           CASE WHEN t.status = 'FAILED' THEN 'ERROR' WHEN t.status <> 'COMPLETED' THEN NULL
             WHEN t.matched THEN 'PASS' WHEN NOT t.matched THEN 'FAIL' END AS outcome,
           t.matched, t.failure_class, d.duration_ms
         FROM unnest($2::uuid[], $3::int[]) WITH ORDINALITY r(id, no, nth)
         JOIN "test-runs".run_items t ON t.company_id = s.company AND t.run_id = r.id
         LEFT JOIN LATERAL (SELECT a.duration_ms FROM "test-runs".run_attempts a WHERE a.company_id = t.company_id
           AND a.run_item_id = t.id AND a.is_current ORDER BY a.repeat LIMIT 1) d ON true
         ORDER BY r.nth, t.position OFFSET 0) x`,
      [runs.map(({ uuid }) => uuid), runs.map(({ id }) => id)],
    );
  }

  /** The results of each criterion for the items that both runs have scored by it. */
  criteria(companyId: number, first: string, second: string): Promise<CriterionPairs[]> {
    return this.db.select<CriterionPairs>(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         SELECT a.criteria_id, max(b.name) AS name, e.criteria_type,
           json_agg(json_build_object('score', a.score, 'passed', a.passed) ORDER BY a.item) AS first,
           json_agg(json_build_object('score', b.score, 'passed', b.passed) ORDER BY a.item) AS second
         FROM (${RESULTS('$2')}) a JOIN (${RESULTS('$3')}) b ON a.item = b.item AND a.criteria_id = b.criteria_id
         JOIN "test-runs".evaluation_criteria e ON e.company_id = s.company AND e.id = a.criteria_id
         GROUP BY a.criteria_id, e.criteria_type ORDER BY a.criteria_id OFFSET 0) x`,
      [first, second],
    );
  }
}
