import { protect } from '@signalbox/database';
import { runTables, secretHolderTable } from '@signalbox/runs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { RUN_SCHEMA } from '../runs/index.js';

const SERVICE = 'workflows';

const statements = [
  ...runTables(RUN_SCHEMA),
  `ALTER TABLE workflows.runs ADD FOREIGN KEY (company_id, workflow_id) REFERENCES workflows.workflows (company_id, id)`,
  // A restarted script finds the nested runs that its earlier attempt has started.
  `CREATE UNIQUE INDEX runs_child ON workflows.runs (company_id, parent_run_id, call_key)`,
  `CREATE INDEX runs_of_company ON workflows.runs (company_id, no)`,
  `CREATE INDEX runs_of_workflow ON workflows.runs (company_id, workflow_id, no)`,
  `CREATE INDEX runs_of_session ON workflows.runs (company_id, session_id, no)`,
  // Results that a restarted script does not compute again: its named steps, and the tasks of agents that it has invoked.
  `CREATE TABLE workflows.run_results (
    company_id int NOT NULL,
    run_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('step', 'task')),
    name text NOT NULL,
    result jsonb NOT NULL,
    date_created bigint NOT NULL,
    PRIMARY KEY (company_id, run_id, kind, name),
    FOREIGN KEY (company_id, run_id) REFERENCES workflows.runs (company_id, id) ON DELETE CASCADE
  )`,
  ...protect(SERVICE, 'run_results', 'SELECT, INSERT, DELETE'),
  ...secretHolderTable(SERVICE),
];

/** Runs of workflows with their events, timelines and kept results. */
export class Runs1700000008100 implements MigrationInterface {
  readonly name = 'Runs1700000008100';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE workflows.secret_holders, workflows.run_results, workflows.run_timeline, workflows.run_events, workflows.runs',
    );
  }
}
