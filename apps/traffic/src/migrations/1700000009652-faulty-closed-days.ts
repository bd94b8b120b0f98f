import type { MigrationInterface, QueryRunner } from 'typeorm';
import { INDEXES, LISTED, replaceWith } from './1700000009625-closed-day-lists.js';

/** Requests with a fault are found once their day is over: which they are is known only after they are recorded. */
export class FaultyClosedDays1700000009652 implements MigrationInterface {
  readonly name = 'FaultyClosedDays1700000009652';

  async up(runner: QueryRunner): Promise<void> {
    const fault = `(company_id, id) ${LISTED} AND evaluation_status = 'FAULT'`;
    await runner.query(replaceWith({ ...INDEXES, fault }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(replaceWith(INDEXES));
  }
}
