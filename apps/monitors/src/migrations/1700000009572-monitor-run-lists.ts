import { largeTableIndexes } from '@signalbox/database';
import type { QueryRunner } from 'typeorm';

const NAME = 'MonitorRunLists1700000009572';
/** What lists of runs are sorted by, and runs of one failure class; a missing value is the smallest. */
const INDEXES = [
  {
    name: 'monitor_runs_cost',
    on: 'monitors.monitor_runs (company_id, cost NULLS FIRST, id) WHERE outcome IS NOT NULL',
  },
  {
    name: 'monitor_runs_duration',
    on: 'monitors.monitor_runs (company_id, runner_duration_ms NULLS FIRST, id) WHERE outcome IS NOT NULL',
  },
  {
    name: 'monitor_runs_failed',
    on: 'monitors.monitor_runs (company_id, failure_class, id) WHERE failure_class IS NOT NULL',
  },
];
/** The lengths of the buckets of activity in milliseconds. Without statistics Postgres sorts all runs to group them. */
const BUCKETS = { hours: 3_600_000, days: 86_400_000 };

/** Lists of runs by their order or failure class, and activity, without reading or sorting all runs. */
export class MonitorRunLists1700000009572 extends largeTableIndexes(NAME, 'monitors', INDEXES) {
  override async up(runner: QueryRunner): Promise<void> {
    await super.up(runner);
    for (const [name, ms] of Object.entries(BUCKETS))
      await runner.query(
        `CREATE STATISTICS IF NOT EXISTS monitors.monitor_runs_${name} ON (date_created - date_created % ${ms}) FROM monitors.monitor_runs`,
      );
    await runner.query('ANALYZE monitors.monitor_runs');
  }

  override async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(BUCKETS)) await runner.query(`DROP STATISTICS monitors.monitor_runs_${name}`);
    await super.down(runner);
  }
}
