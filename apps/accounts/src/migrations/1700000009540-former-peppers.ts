import { NOW_MS, rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const { worker } = rolesOf('accounts');

/** Peppers of former master keys, sealed: hashes of API keys and sessions cannot be computed anew. */
export class FormerPeppers1700000009540 implements MigrationInterface {
  readonly name = 'FormerPeppers1700000009540';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE accounts.former_peppers (
        key_id text PRIMARY KEY,
        sealed bytea NOT NULL,
        date_created bigint NOT NULL DEFAULT ${NOW_MS}
      )`,
    );
    await runner.query(`GRANT SELECT ON accounts.former_peppers TO ${worker}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE accounts.former_peppers');
  }
}
