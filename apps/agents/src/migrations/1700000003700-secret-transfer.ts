import { rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const { worker } = rolesOf('agents');

const statements = [
  `ALTER TABLE agents.secret_holders
    -- Set while the process takes over the secrets of processes that stop.
    ADD COLUMN public_key text,
    ADD COLUMN since timestamptz NOT NULL DEFAULT now()`,
  // When the hook was found to belong to a dead holder and its task was made due.
  `ALTER TABLE agents.task_hooks ADD COLUMN released_at timestamptz`,
  `CREATE INDEX task_hooks_held ON agents.task_hooks (work_kind) WHERE work_kind LIKE '%@%' AND released_at IS NULL`,
  `GRANT SELECT (work_kind, released_at) ON agents.task_hooks TO ${worker}`,
  // The tasks of a session run one after the other.
  `CREATE INDEX tasks_open_of_session ON agents.tasks (company_id, session_no, no)
    WHERE completed_at IS NULL AND parent_task_id IS NULL`,
];

/** Transfer of secrets from a process that stops to another one; order of the tasks of a session. */
export class SecretTransfer1700000003700 implements MigrationInterface {
  readonly name = 'SecretTransfer1700000003700';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX agents.tasks_open_of_session`);
    await runner.query(`ALTER TABLE agents.task_hooks DROP COLUMN released_at`);
    await runner.query(`ALTER TABLE agents.secret_holders DROP COLUMN public_key, DROP COLUMN since`);
  }
}
