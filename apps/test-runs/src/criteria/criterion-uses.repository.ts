import { Injectable } from '@nestjs/common';
import { conflict } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';

const SHOWN = 20;

/**
 * What names a criterion.
 *
 * SQL: criteria are named in JSON lists.
 */
@Injectable()
export class CriterionUses {
  /** 409 while a test set names a locked criterion; sets lock the criteria that they name. */
  async refuse(tx: Tx, id: number): Promise<void> {
    const sets = await tx.query<{ id: number }>(
      `SELECT id FROM "test-runs".test_sets
       WHERE company_id = $1 AND criteria_ids @> to_jsonb($2::int) AND deleted_at IS NULL ORDER BY id LIMIT $3`,
      [tx.companyId, id, SHOWN],
    );
    if (sets.length === 0) return;
    const ids = sets.map((set) => set.id).join(', ');
    throw conflict(
      `the evaluation criterion is named by the test sets ${ids}${sets.length === SHOWN ? ' and more' : ''}`,
    );
  }
}
