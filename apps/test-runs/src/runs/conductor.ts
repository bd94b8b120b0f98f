import { Injectable } from '@nestjs/common';
import { TryLater } from '@signalbox/bus';
import type { Job } from '@signalbox/platform';
import { type Attempt, type LostReason, type RunSteps, SUSPENDED } from '@signalbox/runs';
import { isComplete, RunProgressEvents } from '../run-records/index.js';
import { type ConductedRun, TestRunLifecycle } from './test-run-lifecycle.repository.js';

type Act = 'wait' | 'watch' | 'score' | 'complete';

const isScored = (scoring: ConductedRun['scoring']): boolean =>
  scoring !== null && !scoring.is_partial && scoring.status !== 'SCORING';

const WATCH_MS = 1000;

/** Emits progress while workers execute the items, then completes and scores the run. */
@Injectable()
export class Conductor implements RunSteps<ConductedRun, Act, never> {
  constructor(
    private readonly lifecycle: TestRunLifecycle,
    private readonly progress: RunProgressEvents,
  ) {}

  load(companyId: number, id: string): Promise<ConductedRun | null> {
    return this.lifecycle.load(companyId, id);
  }

  start(): Promise<never> {
    return Promise.reject(new Error('a test run is never queued'));
  }

  next({ executed, open_items, auto_score, scoring }: ConductedRun): Act {
    if (!isComplete(executed, open_items)) return executed ? 'watch' : 'wait';
    if (!auto_score || isScored(scoring)) return 'complete';
    return scoring?.status === 'SCORING' && !scoring.is_partial ? 'watch' : 'score';
  }

  isEnd(act: Act): boolean {
    return act === 'complete';
  }

  async act({ job, run }: Attempt<ConductedRun>, act: Act): Promise<typeof SUSPENDED> {
    if (act === 'wait') return SUSPENDED;
    if (act === 'score') await this.lifecycle.beginScoring(job);
    await this.progress.emit(job, run);
    throw new TryLater(WATCH_MS);
  }

  record(): Promise<never> {
    return Promise.reject(new Error('a conductor records no step'));
  }

  async end({ job, run }: Attempt<ConductedRun>): Promise<void> {
    await this.lifecycle.complete(job, run.auto_score && run.scoring?.status === 'SCORED');
  }

  /** Without its secrets a run ends the items that have no result; one whose conductor was lost too often continues. */
  endLost(job: Job, reason: LostReason): Promise<void> {
    return reason === 'secrets_unavailable' ? this.lifecycle.failForLostSecrets(job) : this.lifecycle.restart(job);
  }
}
