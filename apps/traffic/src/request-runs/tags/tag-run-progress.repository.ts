import { Injectable } from '@nestjs/common';
import type { Job } from '@signalbox/platform';
import { RequestTags } from '../../tags/index.js';
import type { BatchResult } from './tag-run.js';
import { TagRuns } from './tag-runs.repository.js';
import { BEGIN_RUN, COUNT_BATCH } from './tag-run-progress.sql.js';

/** SQL: a batch is recorded in one fenced transaction with the tags that it assigns, so it is counted once. */
@Injectable()
export class TagRunProgress {
  constructor(
    private readonly runs: TagRuns,
    private readonly tags: RequestTags,
  ) {}

  /** Requests that are recorded later are not part of the run. */
  begin(job: Job, { count, upto }: { count: number; upto: number }): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx) => {
      await tx.query(BEGIN_RUN, [tx.companyId, job.ref, count, upto]);
      return [];
    });
  }

  record(job: Job, { cursor, processed, judgements, errors, last_error, matches }: BatchResult): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx) => {
      await tx.progressed(job);
      const tagged = await this.tags.assign(tx, matches);
      await tx.query(COUNT_BATCH, [tx.companyId, job.ref, cursor, processed, judgements, errors, last_error, tagged]);
      return [];
    });
  }
}
