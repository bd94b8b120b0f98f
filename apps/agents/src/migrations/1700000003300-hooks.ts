import { openToWorker, protect } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'agents';

const statements = [
  `ALTER TABLE agents.tasks
    ADD COLUMN hook_expires_at bigint,
    -- When the current stretch of work began: waiting does not count towards the time limit of a task.
    ADD COLUMN active_since bigint,
    ADD COLUMN parent_step int,
    ADD COLUMN depth int NOT NULL DEFAULT 0,
    -- The routing decision of the task; null before it is made.
    ADD COLUMN routing jsonb,
    -- Kind of its work: it names the process that holds its secrets, if there are any.
    ADD COLUMN work_kind text NOT NULL DEFAULT 'agent_task',
    ADD CHECK ((parent_task_id IS NULL) = (parent_step IS NULL))`,
  // A retry of the parent's step finds the child that the first attempt started.
  `CREATE UNIQUE INDEX tasks_child ON agents.tasks (company_id, parent_task_id, parent_step)`,
  `CREATE TABLE agents.task_hooks (
    company_id int NOT NULL,
    -- Of the key itself nothing is kept but this.
    hook_hash text NOT NULL,
    task_id uuid NOT NULL,
    step_no int NOT NULL,
    -- Kind of the work that is due again after the callback: it names the process that holds the secrets.
    work_kind text NOT NULL,
    expires_at bigint NOT NULL,
    answered_at bigint,
    -- JSON text, or unreadable without the key of the hook when the task has secrets that may stand in it.
    payload text,
    sealed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (company_id, hook_hash),
    FOREIGN KEY (company_id, task_id) REFERENCES agents.tasks (company_id, id)
  )`,
  `CREATE INDEX task_hooks_of_step ON agents.task_hooks (company_id, task_id, step_no)`,
  `CREATE UNIQUE INDEX task_hooks_answer ON agents.task_hooks (company_id, task_id, step_no) WHERE answered_at IS NOT NULL`,
  `CREATE INDEX task_hooks_hash ON agents.task_hooks (hook_hash)`,
  ...protect(SERVICE, 'task_hooks'),
  // A callback carries no company: the worker role looks it up by the hash.
  ...openToWorker(SERVICE, 'task_hooks', 'SELECT (company_id, hook_hash, task_id)'),
];

/** The hooks on which tasks wait, and the parent step and route of a task. */
export class Hooks1700000003300 implements MigrationInterface {
  readonly name = 'Hooks1700000003300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE agents.task_hooks');
    await runner.query(
      `ALTER TABLE agents.tasks DROP COLUMN hook_expires_at, DROP COLUMN active_since, DROP COLUMN parent_step,
         DROP COLUMN depth, DROP COLUMN routing, DROP COLUMN work_kind`,
    );
  }
}
