import { TryLater } from '@signalbox/bus';
import type { SecretBag } from '@signalbox/egress';
import type { Job } from '@signalbox/platform';
import type { RunNotifications } from '../events/run-notifications.js';
import { type HeldRun, RunEndedError, type RunKind } from '../run-kind.js';
import { holderOf } from '../secrets/held-kind.js';
import type { SecretHolder } from '../secrets/secret-holder.js';
import { SUSPENDED, type SuspendedRuns } from './suspended-runs.js';

export interface Attempt<Run> {
  job: Job;
  run: Run;
  secrets: SecretBag | undefined;
  /** Aborts when the run has ended, for example by a cancellation, or another worker has it. */
  signal: AbortSignal;
}

export type LostReason = 'secrets_unavailable' | 'interrupted';

export const lostFailure = (error_code: LostReason) => ({
  failure_class: 'internal',
  error_code,
  error_message: 'its worker was lost five times',
});

/**
 * The steps of one kind of run. `next` depends on recorded data only, so another worker continues after the last
 * recorded step and repeats none.
 */
export interface RunSteps<Run, Act, Made = unknown> {
  load(companyId: number, runId: string): Promise<Run | null>;
  /** Null when the run has ended instead; throws `TryLater` while it has to stay queued. */
  start(job: Job, run: Run): Promise<Run | null>;
  /** For a run that an earlier attempt has started; by default it continues unchanged. */
  resume?(job: Job, run: Run): Promise<Run>;
  next(run: Run): Act;
  isEnd(act: Act): boolean;
  /** May return an end instead of a result, or `SUSPENDED`. */
  act(attempt: Attempt<Run>, act: Act): Promise<{ made: Made } | { end: Act } | typeof SUSPENDED>;
  /**
   * Writes the result with the fence of the job, together with the end when that is next. Returns the next act, null
   * when the run has ended.
   */
  record(attempt: Attempt<Run>, made: Made): Promise<Act | null>;
  end(attempt: Attempt<Run>, act: Act): Promise<void>;
  /** For lost secrets or workers; `waiting` when the run waits for a callback. */
  endLost(job: Job, reason: LostReason, waiting: boolean): Promise<void>;
}

/** Shared, because the stack of every ended run would be of no use. */
const ENDED = new RunEndedError('the run has ended');

export class RunLoop<Run extends HeldRun, Act, Made = unknown> {
  constructor(
    private readonly kind: Pick<RunKind<Run>, 'states'>,
    private readonly steps: RunSteps<Run, Act, Made>,
    private readonly secrets: SecretHolder,
    private readonly suspendedRuns: SuspendedRuns,
    private readonly notifications: RunNotifications,
  ) {}

  /** Works until the run ends or is suspended; a stopping process yields between two steps. */
  async work(job: Job, signal: AbortSignal, stopping: AbortSignal): Promise<typeof SUSPENDED | void> {
    this.suspendedRuns.resume(job.ref);
    const ended = new AbortController();
    const stop = this.notifications.onEnd(job.ref, () => ended.abort(ENDED));
    try {
      const run = await this.begin(job);
      if (!run) return;
      const secrets = this.secrets.of(job.ref);
      if (run === SUSPENDED) return await this.suspended(job, secrets);
      if (run.has_secrets && !secrets) return await this.steps.endLost(job, 'secrets_unavailable', false);
      return await this.advance({ job, run, secrets, signal: AbortSignal.any([signal, ended.signal]) }, stopping);
    } finally {
      stop();
    }
  }

  async onExhausted(job: Job): Promise<void> {
    const run = await this.begin(job);
    if (run && run !== SUSPENDED) await this.steps.endLost(job, 'interrupted', false);
  }

  private async begin(job: Job): Promise<Run | typeof SUSPENDED | null> {
    const run = await this.steps.load(job.companyId, job.ref);
    if (!run || this.kind.states.isTerminal(run.status)) return null;
    // The callback moves a waiting run to RUNNING before its work is due.
    if (run.status === 'WAITING_WEBHOOK') return SUSPENDED;
    if (run.status === 'QUEUED') return this.steps.start(job, run);
    return this.steps.resume ? this.steps.resume(job, run) : run;
  }

  /** The run waits for a callback; work that every process may claim means that its secrets are lost. */
  private async suspended(job: Job, secrets: SecretBag | undefined): Promise<typeof SUSPENDED | void> {
    const run = secrets || holderOf(job.kind) !== null ? null : await this.steps.load(job.companyId, job.ref);
    if (!run?.has_secrets) return SUSPENDED;
    await this.steps.endLost(job, 'secrets_unavailable', true);
  }

  private async advance(attempt: Attempt<Run>, stopping: AbortSignal): Promise<typeof SUSPENDED | void> {
    let act: Act | null = this.steps.next(attempt.run);
    while (act !== null) {
      attempt.signal.throwIfAborted();
      if (this.steps.isEnd(act)) return this.steps.end(attempt, act);
      if (stopping.aborted) throw new TryLater(0);
      const result = await this.steps.act(attempt, act);
      if (result === SUSPENDED) return SUSPENDED;
      if ('end' in result) return this.steps.end(attempt, result.end);
      act = await this.steps.record(attempt, result.made);
    }
  }
}
