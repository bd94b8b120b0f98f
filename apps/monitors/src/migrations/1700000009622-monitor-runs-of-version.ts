import { largeTableIndexes } from '@signalbox/database';
import type { QueryRunner } from 'typeorm';

const INDEXES = [
  {
    name: 'monitor_runs_of_version',
    on: 'monitors.monitor_runs (company_id, version_number, id) WHERE outcome IS NOT NULL',
  },
];
const COLUMN = 'ALTER TABLE monitors.monitor_runs ALTER COLUMN version_number';

/**
 * Runs of one version, newest first, without a monitor being named. As long as nearly all runs are of one version, Postgres
 * would expect to find the runs of any version among the newest, and read all of them for a version without runs.
 */
export class MonitorRunsOfVersion1700000009622 extends largeTableIndexes(
  'MonitorRunsOfVersion1700000009622',
  'monitors',
  INDEXES,
) {
  override async up(runner: QueryRunner): Promise<void> {
    await super.up(runner);
    await runner.query(`${COLUMN} SET (n_distinct = 20)`);
    await runner.query('ANALYZE monitors.monitor_runs (version_number)');
  }

  override async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${COLUMN} RESET (n_distinct)`);
    await super.down(runner);
  }
}
