import { runTables, secretHolderTable } from '@signalbox/runs';
import { SCHEMA } from './counting.js';

/** The tables of countings. */
export class Countings1700000000100 {
  readonly name = 'Countings1700000000100';

  async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
    for (const sql of [...runTables(SCHEMA), ...secretHolderTable(SCHEMA.service)]) await runner.query(sql);
  }

  async down(): Promise<void> {}
}
