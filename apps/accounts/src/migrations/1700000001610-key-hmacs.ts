import { rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const { worker } = rolesOf('accounts');

/** A second hash of API keys; a key that has none gets it when it is used. */
export class KeyHmacs1700000001610 implements MigrationInterface {
  readonly name = 'KeyHmacs1700000001610';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts.api_keys ADD COLUMN key_hmac bytea');
    await runner.query(`GRANT UPDATE (key_hmac) ON accounts.api_keys TO ${worker}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts.api_keys DROP COLUMN key_hmac');
  }
}
