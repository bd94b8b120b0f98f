import { Injectable } from '@nestjs/common';
import type { Tx } from '@signalbox/database';
import { COMPOSITIONS_OF } from './dataset-uses.sql.js';

/** SQL: compositions are found by the datasets in them. */
@Injectable()
export class DatasetUses {
  /** The first 20. */
  async compositionsOf(tx: Tx, datasetId: number): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(COMPOSITIONS_OF, [
      tx.companyId,
      JSON.stringify([{ dataset_id: datasetId }]),
    ]);
    return rows.map(({ id }) => id);
  }
}
