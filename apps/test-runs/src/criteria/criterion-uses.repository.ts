import { Injectable } from '@nestjs/common';
import { conflict } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { RUNS_WITH_CRITERION, SETS_WITH_CRITERION } from './criterion-uses.sql.js';

const SHOWN = 20;

/** SQL: criteria are named in JSON lists. */
@Injectable()
export class CriterionUses {
  /** 409 while a test set or a test run names the criterion. Both lock the criteria that they name. */
  async refuse(tx: Tx, id: number): Promise<void> {
    const sets = await tx.query<{ id: number }>(SETS_WITH_CRITERION, [tx.companyId, id, SHOWN]);
    refuseNamed('test sets', sets);
    const runs = await tx.query<{ id: number }>(RUNS_WITH_CRITERION, [tx.companyId, id, SHOWN]);
    refuseNamed('test runs', runs);
  }
}

function refuseNamed(what: string, named: readonly { id: number }[]): void {
  if (named.length === 0) return;
  const ids = named.map(({ id }) => id).join(', ');
  throw conflict(`the evaluation criterion is named by the ${what} ${ids}${named.length === SHOWN ? ' and more' : ''}`);
}
