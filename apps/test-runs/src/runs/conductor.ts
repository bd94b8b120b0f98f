import { Injectable } from '@nestjs/common';
import { TryLater } from '@signalbox/bus';
import type { Job } from '@signalbox/platform';
import { type Attempt, type LostReason, type RunSteps, SUSPENDED } from '@signalbox/runs';
import { Scoring } from '../scoring/scoring.js';
import { isComplete } from './test-run.js';
import { type ConductedRun, Executions } from './executions.repository.js';
import { RunProgressEvents } from './progress.repository.js';

/** What the conductor of a run does next. */
type Act = 'wait' | 'watch' | 'complete';

/** Interval in which the progress of a run is emitted. */
const WATCH_MS = 1000;

/** Conducts runs: emits their progress while lanes execute their items, and completes and scores them. */
@Injectable()
export class Conductor implements RunSteps<ConductedRun, Act, never> {
  constructor(
    private readonly executions: Executions,
    private readonly scoring: Scoring,
    private readonly progress: RunProgressEvents,
  ) {}

  load(companyId: number, id: string): Promise<ConductedRun | null> {
    return this.executions.load(companyId, id);
  }

  start(): Promise<never> {
    return Promise.reject(new Error('a test run is never queued'));
  }

  next({ executed, open_items }: ConductedRun): Act {
    if (isComplete(executed, open_items)) return 'complete';
    return executed ? 'watch' : 'wait';
  }

  isEnd(act: Act): boolean {
    return act === 'complete';
  }

  async act({ job, run }: Attempt<ConductedRun>, act: Act): Promise<typeof SUSPENDED> {
    if (act === 'wait') return SUSPENDED;
    await this.progress.emit(job, run);
    throw new TryLater(WATCH_MS);
  }

  record(): Promise<never> {
    return Promise.reject(new Error('a conductor records no step'));
  }

  /** A run that scores itself is completed with its scores. */
  async end({ job, run, signal }: Attempt<ConductedRun>): Promise<void> {
    if (run.auto_score) await this.scoring.scoreItems(job.companyId, run, null, signal);
    await this.executions.complete(job, run.auto_score);
  }

  /** Without its secrets a run ends the items that have no result; one whose conductor was lost too often continues. */
  endLost(job: Job, reason: LostReason): Promise<void> {
    return reason === 'secrets_unavailable' ? this.executions.loseSecrets(job) : this.executions.again(job);
  }
}
