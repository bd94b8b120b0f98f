import { rolesOf } from '@signalbox/database';
import { keptTables } from '@signalbox/runs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const { runtime, worker } = rolesOf('agents');
const PARTS = ['tasks', 'task_steps', 'task_events', 'task_timeline'];

/** Tasks are deleted once their company does not keep them any longer. */
export class TaskRetention1700000004100 implements MigrationInterface {
  readonly name = 'TaskRetention1700000004100';

  async up(runner: QueryRunner): Promise<void> {
    for (const part of PARTS) await runner.query(`GRANT DELETE ON agents.${part} TO ${runtime}`);
    for (const statement of keptTables('agents', 'tasks')) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP POLICY worker ON agents.tasks`);
    await runner.query(`REVOKE SELECT (company_id, completed_at) ON agents.tasks FROM ${worker}`);
    await runner.query(`DROP INDEX agents.tasks_ended`);
    for (const part of PARTS) await runner.query(`REVOKE DELETE ON agents.${part} FROM ${runtime}`);
  }
}
