import { Injectable } from '@nestjs/common';
import { Database, NOW_MS } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { Datasets } from '../../datasets/index.js';
import { DatasetRequests, type NewRow } from '../../requests/index.js';
import type { RunningAugmentation, SourceRow } from './augmentation.js';
import { Augmentations } from './augmentation-kind.js';

/** The rows of one batch: a lost worker has the model asked at most so many times again. */
const BATCH = 8;

/** What a batch amounts to. */
export interface ExtendedBatch {
  /** Id of the last row of the batch. */
  cursor: number;
  reasonings: { id: number; reasoning: Record<string, unknown> }[];
  variations: NewRow[];
  failed: number;
  last_error: string | null;
}

/**
 * The rows that augmentations extend.
 *
 * SQL: a batch is written in one fenced transaction with the cursor, so each row is extended once.
 */
@Injectable()
export class AugmentedRows {
  constructor(
    private readonly db: Database,
    private readonly runs: Augmentations,
    private readonly datasets: Datasets,
    private readonly requests: DatasetRequests,
  ) {}

  /** The next rows in the order of their addition. */
  next(companyId: number, { dataset_id, cursor, upto }: RunningAugmentation): Promise<SourceRow[]> {
    return this.db.select<SourceRow>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.messages, t.response, t.tools FROM training.dataset_requests t
         WHERE t.company_id = s.company AND t.dataset_id = $2 AND t.id > $3 AND t.id <= $4 AND t.deleted_at IS NULL
         ORDER BY t.id LIMIT ${BATCH} OFFSET 0) x`,
      [dataset_id, cursor, upto],
    );
  }

  /** Writes a batch; 404 or 409 when the dataset was deleted or archived meanwhile. Returns how many rows it made. */
  async write(job: Job, { cursor, reasonings, variations, failed, last_error }: ExtendedBatch): Promise<number> {
    let produced = 0;
    await this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await tx.progressed(job);
      const dataset = await this.datasets.lockRows(tx, run.dataset_id);
      const added = await this.requests.insertRows(tx, dataset, variations);
      const changed = await tx.query(
        `UPDATE training.dataset_requests t SET reasoning = r.reasoning, date_updated = ${NOW_MS}
         FROM jsonb_to_recordset($3::jsonb) r(id int, reasoning jsonb)
         WHERE t.company_id = $1 AND t.dataset_id = $2 AND t.id = r.id AND t.deleted_at IS NULL RETURNING t.id`,
        [tx.companyId, run.dataset_id, JSON.stringify(reasonings)],
      );
      produced = added.length + changed.length;
      if (produced > 0) await this.datasets.count(tx, dataset, added.length);
      await tx.query(
        `UPDATE training.augmentations SET cursor = $3, produced = produced + $4, failed = failed + $5,
           last_error = COALESCE($6, last_error) WHERE company_id = $1 AND id = $2`,
        [tx.companyId, run.id, cursor, produced, failed, last_error],
      );
      return [];
    });
    return produced;
  }
}
