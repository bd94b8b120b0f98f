import { NOW_MS, protect, rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'test-runs';

const up = [
  `CREATE TABLE "test-runs".scorings (
    company_id int NOT NULL,
    id int GENERATED ALWAYS AS IDENTITY,
    run_id uuid NOT NULL,
    -- Empty for the criteria of the run; else the sorted ids of others, whose scores decide nothing.
    criteria_key text NOT NULL,
    criteria_ids int[] NOT NULL,
    -- The criteria as they were when it began.
    criteria json NOT NULL,
    definitions_sha256 text NOT NULL,
    is_partial boolean NOT NULL,
    status text NOT NULL CHECK (status IN ('SCORING', 'SCORED', 'FAILED')),
    -- Increased when it begins anew, which ends the work of its worker.
    revision int NOT NULL DEFAULT 1,
    -- Items up to this position are scored.
    after_position int NOT NULL DEFAULT -1,
    scored int NOT NULL DEFAULT 0,
    total int NOT NULL,
    -- Whether its progress is in the stream of its completed run.
    is_streamed boolean NOT NULL DEFAULT false,
    date_created bigint NOT NULL DEFAULT ${NOW_MS},
    date_updated bigint NOT NULL DEFAULT ${NOW_MS},
    PRIMARY KEY (company_id, id),
    FOREIGN KEY (company_id, run_id) REFERENCES "test-runs".runs (company_id, id) ON DELETE CASCADE
  )`,
  `CREATE UNIQUE INDEX scorings_of_run ON "test-runs".scorings (company_id, run_id, criteria_key)`,
  ...protect(SERVICE, 'scorings'),
  `GRANT USAGE ON SEQUENCE "test-runs".scorings_id_seq TO ${rolesOf(SERVICE).runtime}`,
  // Null for the scores that decide about the item.
  `ALTER TABLE "test-runs".run_scores ADD COLUMN scoring_id int`,
  `ALTER TABLE "test-runs".run_scores ADD COLUMN judged_sha256 text`,
  // The results of the criteria for each repeat; null for a single one.
  `ALTER TABLE "test-runs".run_scores ADD COLUMN repeats_results json`,
  `ALTER TABLE "test-runs".runs ADD COLUMN scored_with jsonb`,
  `ALTER TABLE "test-runs".runs ADD COLUMN cancelled_at bigint`,
  // Of the input and the baseline when the run was prepared.
  `ALTER TABLE "test-runs".run_items ADD COLUMN source_md5 text`,
];
const down = [
  `ALTER TABLE "test-runs".run_items DROP COLUMN source_md5`,
  `ALTER TABLE "test-runs".runs DROP COLUMN cancelled_at`,
  `ALTER TABLE "test-runs".runs DROP COLUMN scored_with`,
  `ALTER TABLE "test-runs".run_scores DROP COLUMN repeats_results`,
  `ALTER TABLE "test-runs".run_scores DROP COLUMN judged_sha256`,
  `ALTER TABLE "test-runs".run_scores DROP COLUMN scoring_id`,
  `DROP TABLE "test-runs".scorings`,
];

/** Scorings as separate runs, and what a gate needs to know about the scores of a run. */
export class Scorings1700000005850 implements MigrationInterface {
  readonly name = 'Scorings1700000005850';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of up) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of down) await runner.query(statement);
  }
}
