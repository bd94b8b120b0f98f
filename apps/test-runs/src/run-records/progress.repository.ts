import { Injectable } from '@nestjs/common';
import type { RunProgress } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { StreamSubscribers } from '@signalbox/runs';
import { type LockedTestRun, TestRuns } from './test-run-kind.js';
import { PROGRESS_OF_RUN } from './run-progress.sql.js';

/** SQL: items are counted, and their durations summed up, in Postgres. */
@Injectable()
export class RunProgressEvents {
  constructor(
    private readonly db: Database,
    private readonly runs: TestRuns,
    private readonly subscribers: StreamSubscribers,
  ) {}

  async of(companyId: number, runId: string): Promise<RunProgress> {
    const [row] = await this.db.select<{ body: string }>(companyId, PROGRESS_OF_RUN, [runId]);
    return JSON.parse(row?.body ?? 'null') as RunProgress;
  }

  async emit(job: Job, run: LockedTestRun): Promise<void> {
    const event = await this.eventOf(job, run);
    if (event) await this.runs.writes.append(job, run.id, event);
  }

  async emitEnded(job: Job, run: LockedTestRun): Promise<void> {
    const event = await this.eventOf(job, run);
    if (event) await this.runs.writes.fenced(job, run.id, () => Promise.resolve([event]), { evenEnded: true });
  }

  private async eventOf({ companyId }: Job, { id, no }: LockedTestRun) {
    if (!this.subscribers.hasSubscriber(id)) return null;
    return { event: { type: 'run.progress', data: { run_id: no, progress: await this.of(companyId, id) } } };
  }
}
