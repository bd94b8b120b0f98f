import { Injectable } from '@nestjs/common';
import type { Tx } from '@signalbox/database';

/**
 * The compositions that keep a dataset.
 *
 * SQL: compositions are found by the datasets in them.
 */
@Injectable()
export class DatasetUses {
  /** The ids of the first compositions that contain a dataset. */
  async compositionsOf(tx: Tx, datasetId: number): Promise<number[]> {
    const rows = await tx.query<{ id: number }>(
      `SELECT id FROM training.compositions WHERE company_id = $1 AND deleted_at IS NULL AND entries @> $2::jsonb
       ORDER BY id LIMIT 20`,
      [tx.companyId, JSON.stringify([{ dataset_id: datasetId }])],
    );
    return rows.map(({ id }) => id);
  }
}
