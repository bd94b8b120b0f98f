import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  // Null in older rows: those with an agent are of origin AGENT, all others of CHAT.
  'origin text',
  'origin_id text',
  'rerun_of uuid',
  // The task or run that answered. Its model calls have the tokens, so these are not in the columns that are summed.
  'task_id text',
  'run_id text',
  'answered_usage jsonb',
];

/** The origins of requests, and the tasks or runs that answered them. */
export class RequestOrigins1700000002600 implements MigrationInterface {
  readonly name = 'RequestOrigins1700000002600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE traffic.requests ${COLUMNS.map((column) => `ADD COLUMN ${column}`).join(', ')}`);
    await runner.query(
      `CREATE INDEX requests_origin ON traffic.requests (company_id, origin_id, id) WHERE origin_id IS NOT NULL`,
    );
    // The built-in model can be the base of a finetune.
    await runner.query(`UPDATE traffic.models SET trainable = true WHERE built_in`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const names = COLUMNS.map((column) => column.split(' ')[0]);
    await runner.query(`ALTER TABLE traffic.requests ${names.map((name) => `DROP COLUMN ${name}`).join(', ')}`);
  }
}
