import { NOW_MS, openToWorker, protect, rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'monitors';

const statements = [
  `CREATE TABLE monitors.monitor_runs (
    company_id int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    monitor_id int NOT NULL,
    monitor_target_id int NOT NULL,
    monitor_version_id int NOT NULL,
    version_number text NOT NULL,
    source_type text NOT NULL CHECK (source_type IN ('request', 'workflow_run', 'agent_task')),
    source_id text NOT NULL,
    runner_type text NOT NULL CHECK (runner_type IN ('model', 'workflow', 'direct')),
    runner_ref_id text,
    shadow boolean NOT NULL,
    -- The runs that one job judges together.
    batch uuid NOT NULL,
    attempts int NOT NULL DEFAULT 0,
    -- Null until the run is judged.
    outcome text CHECK (outcome IN ('PASS', 'WARNING', 'FAULT', 'ERROR')),
    failure_class text,
    error_message text,
    resolution_trace json,
    runner_output json,
    runner_duration_ms int,
    cost double precision,
    date_created bigint NOT NULL DEFAULT ${NOW_MS},
    PRIMARY KEY (company_id, id),
    FOREIGN KEY (company_id, monitor_id) REFERENCES monitors.monitors (company_id, id),
    FOREIGN KEY (company_id, monitor_target_id) REFERENCES monitors.monitor_targets (company_id, id),
    FOREIGN KEY (company_id, monitor_version_id) REFERENCES monitors.monitor_versions (company_id, id)
  )`,
  // One run for each source, target and version; reads by source use it too.
  `CREATE UNIQUE INDEX monitor_runs_source ON monitors.monitor_runs
    (company_id, source_type, source_id, monitor_target_id, monitor_version_id)`,
  `CREATE INDEX monitor_runs_of ON monitors.monitor_runs (company_id, monitor_id, id) WHERE outcome IS NOT NULL`,
  `CREATE INDEX monitor_runs_newest ON monitors.monitor_runs (company_id, date_created, id) WHERE outcome IS NOT NULL`,
  // Metrics, activity, budgets and alerts read it alone.
  `CREATE INDEX monitor_runs_time ON monitors.monitor_runs (company_id, monitor_id, date_created)
    INCLUDE (outcome, shadow, monitor_target_id, cost, runner_duration_ms)`,
  `CREATE INDEX monitor_runs_batch ON monitors.monitor_runs (company_id, batch) WHERE outcome IS NULL`,
  ...protect(SERVICE, 'monitor_runs'),
  `GRANT USAGE ON SEQUENCE monitors.monitor_runs_id_seq TO ${rolesOf(SERVICE).runtime}`,
  // Which companies have old runs is all that the worker role may read of them.
  ...openToWorker(SERVICE, 'monitor_runs', 'SELECT (company_id, date_created)'),
];

/** Judgements of production sources. */
export class MonitorRuns1700000005100 implements MigrationInterface {
  readonly name = 'MonitorRuns1700000005100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE monitors.monitor_runs');
  }
}
