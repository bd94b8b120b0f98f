import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changesOf, runsIn } from './run-counts/changes.js';

/**
 * Counts the runs that exist, while runs are written. One statement sees one state: what triggers have noted until then is
 * in the rows that it counts, what it does not see is noted after them. Services that fold changes start after it.
 */
export class CountedMonitorRuns1700000009646 implements MigrationInterface {
  readonly name = 'CountedMonitorRuns1700000009646';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `WITH noted AS (DELETE FROM monitors.monitor_run_count_changes) ${changesOf(runsIn('monitors.monitor_runs', 1))}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('TRUNCATE monitors.monitor_run_count_changes, monitors.monitor_run_counts');
  }
}
