import type { MigrationInterface, QueryRunner } from 'typeorm';
import { largeTableIndexes } from './large-table-indexes.js';

/** Since when each attempt of an open job has failed or met an outage; null after one that has not. */
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

/** Finds the few jobs that fail. */
export const failingWorkIndex = (service: string): new () => MigrationInterface =>
  largeTableIndexes('FailingWorkIndex1700000009591', service, [
    { name: 'work_failing', on: `"${service}".work (kind, failing_since) WHERE failing_since IS NOT NULL` },
  ]);
