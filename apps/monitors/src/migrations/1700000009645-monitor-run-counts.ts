import { openToWorker, protect, rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropTriggers, GROUPED, MEASURED, triggers } from './run-counts/changes.js';

const SERVICE = 'monitors';
const { owner, runtime } = rolesOf(SERVICE);

const COLUMNS = [
  ...Object.entries(GROUPED).map(([name, type]) => `${name} ${type}`),
  ...Object.entries(MEASURED).map(([name, { type }]) => `${name} ${type}`),
].join(', ');

const statements = [
  // What statements have changed, in any order, because it is summed; it is added to the counts by a job.
  `CREATE TABLE monitors.monitor_run_count_changes (
    company_id int NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY,
    -- The hour (UTC) in epoch milliseconds.
    starts bigint NOT NULL, ${COLUMNS},
    PRIMARY KEY (company_id, id)
  )`,
  `GRANT USAGE ON SEQUENCE monitors.monitor_run_count_changes_id_seq TO ${runtime}`,
  `CREATE TABLE monitors.monitor_run_counts (
    company_id int NOT NULL, unit text NOT NULL CHECK (unit IN ('hour', 'day')), starts bigint NOT NULL, ${COLUMNS},
    -- Activity reads it alone.
    PRIMARY KEY (company_id, unit, monitor_id, starts, monitor_target_id, version_number, shadow, outcome) INCLUDE (runs)
  ) WITH (fillfactor = 70)`,
  // What retention has emptied.
  'CREATE INDEX monitor_run_counts_empty ON monitors.monitor_run_counts (company_id) WHERE runs = 0',
  ...['monitor_run_count_changes', 'monitor_run_counts'].flatMap((table) => protect(SERVICE, table)),
  // The worker reads which companies have changes, and no other column.
  ...openToWorker(SERVICE, 'monitor_run_count_changes', 'SELECT (company_id)'),
  // The next migration counts the runs of all companies, which forced row security hides even from the owner.
  `CREATE POLICY counting ON monitors.monitor_run_count_changes TO ${owner} USING (true) WITH CHECK (true)`,
  `CREATE POLICY counting ON monitors.monitor_runs FOR SELECT TO ${owner} USING (true)`,
  ...triggers,
];

/** Runs are counted by hour and day: triggers note how runs change, also those that the release before this one writes. */
export class MonitorRunCounts1700000009645 implements MigrationInterface {
  readonly name = 'MonitorRunCounts1700000009645';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of dropTriggers) await runner.query(statement);
    await runner.query('DROP POLICY counting ON monitors.monitor_runs');
    await runner.query('DROP TABLE monitors.monitor_run_count_changes, monitors.monitor_run_counts');
  }
}
