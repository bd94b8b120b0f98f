import type { MigrationInterface, QueryRunner } from 'typeorm';
import { largeTableIndexes } from './large-table-indexes.js';

/** When the current series of failed attempts or outages of an open job began; null after another outcome. */
export function failingWork(service: string): new () => MigrationInterface {
  return class FailingWork1700000009590 implements MigrationInterface {
    readonly name = 'FailingWork1700000009590';

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(`ALTER TABLE "${service}".work ADD COLUMN failing_since timestamptz`);
    }

    async down(runner: QueryRunner): Promise<void> {
      await runner.query(`ALTER TABLE "${service}".work DROP COLUMN failing_since`);
    }
  };
}

export const failingWorkIndex = (service: string): new () => MigrationInterface =>
  largeTableIndexes('FailingWorkIndex1700000009591', service, [
    { name: 'work_failing', on: `"${service}".work (kind, failing_since) WHERE failing_since IS NOT NULL` },
  ]);
