import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { Datasets } from '../../datasets/index.js';
import { DatasetRequests, type NewRow } from '../../requests/index.js';
import type { RunningAugmentation, SourceRow } from './augmentation.js';
import { Augmentations } from './augmentation-kind.js';
import { NEXT_ROWS, STORE_REASONING, STORE_PROGRESS } from './augmented-rows.sql.js';

export interface ExtendedBatch {
  /** Id of the last row of the batch. */
  cursor: number;
  reasonings: { id: number; reasoning: Record<string, unknown> }[];
  variations: NewRow[];
  failed: number;
  last_error: string | null;
}

/** SQL: a batch is written in one fenced transaction with the cursor, so each row is extended once. */
@Injectable()
export class AugmentedRows {
  constructor(
    private readonly db: Database,
    private readonly runs: Augmentations,
    private readonly datasets: Datasets,
    private readonly requests: DatasetRequests,
  ) {}

  /** In the order of addition. */
  next(companyId: number, { dataset_id, cursor, upto }: RunningAugmentation): Promise<SourceRow[]> {
    return this.db.select<SourceRow>(companyId, NEXT_ROWS, [dataset_id, cursor, upto]);
  }

  /** Returns the number of rows produced. Throws 404 or 409 when the dataset was deleted or archived meanwhile. */
  async write(job: Job, { cursor, reasonings, variations, failed, last_error }: ExtendedBatch): Promise<number> {
    let produced = 0;
    await this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await tx.progressed(job);
      const dataset = await this.datasets.lockRows(tx, run.dataset_id);
      const added = await this.requests.insertRows(tx, dataset, variations);
      const changed = await tx.query(STORE_REASONING, [tx.companyId, run.dataset_id, JSON.stringify(reasonings)]);
      produced = added.length + changed.length;
      if (produced > 0) await this.datasets.count(tx, dataset, added.length);
      await tx.query(STORE_PROGRESS, [tx.companyId, run.id, cursor, produced, failed, last_error]);
      return [];
    });
    return produced;
  }
}
