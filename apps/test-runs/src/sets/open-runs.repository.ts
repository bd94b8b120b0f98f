import { Injectable } from '@nestjs/common';
import { conflict } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { OPEN_RUNS_OF_SET } from './open-runs.sql.js';

const SHOWN = 20;

/** SQL: runs are found by their set. */
@Injectable()
export class OpenRuns {
  /** 409 while a run of the locked set is not completed; new runs lock the set. */
  async requireNoOpenRuns(tx: Tx, setId: number): Promise<void> {
    const runs = await tx.query<{ no: number }>(OPEN_RUNS_OF_SET, [tx.companyId, setId, SHOWN]);
    if (runs.length === 0) return;
    const numbers = runs.map(({ no }) => no).join(', ');
    throw conflict(
      `the test runs ${numbers}${runs.length === SHOWN ? ' and more' : ''} of the test set are not completed`,
    );
  }
}
