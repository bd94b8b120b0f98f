import { Injectable } from '@nestjs/common';
import type { Job } from '@signalbox/platform';
import { RequestTags } from '../../tags/index.js';
import type { BatchResult } from './tag-run.js';
import { TagRuns } from './tag-runs.repository.js';

/**
 * The progress of tag runs.
 *
 * SQL: a batch is recorded in one fenced transaction with the tags that it assigns, so it is counted once.
 */
@Injectable()
export class TagRunProgress {
  constructor(
    private readonly runs: TagRuns,
    private readonly tags: RequestTags,
  ) {}

  /** Records which requests the run judges; later ones are not part of it. */
  begin(job: Job, { count, upto }: { count: number; upto: number }): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx) => {
      await tx.query('UPDATE traffic.tag_runs SET total_requests = $3, upto = $4 WHERE company_id = $1 AND id = $2', [
        tx.companyId,
        job.ref,
        count,
        upto,
      ]);
      return [];
    });
  }

  /** Assigns the tags of a batch and records its counts. */
  record(job: Job, { cursor, processed, judgements, errors, last_error, matches }: BatchResult): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx) => {
      await tx.progressed(job);
      const tagged = await this.tags.assign(tx, matches);
      await tx.query(
        `UPDATE traffic.tag_runs SET cursor = $3, processed = processed + $4, judgements = judgements + $5,
           errors = errors + $6, last_error = COALESCE($7, last_error), tagged = tagged + $8
         WHERE company_id = $1 AND id = $2`,
        [tx.companyId, job.ref, cursor, processed, judgements, errors, last_error, tagged],
      );
      return [];
    });
  }
}
