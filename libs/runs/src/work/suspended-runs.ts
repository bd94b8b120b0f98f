import { Inject, Injectable } from '@nestjs/common';
import { forEachCompany, LOGGER, type Logger } from '@signalbox/platform';
import { RunNotifications } from '../events/run-notifications.js';
import { type Runs, RUNS } from '../runs.js';
import { type HeldSecrets, SecretHolder } from '../secrets/secret-holder.js';

/** A worker's result for a run that does nothing until its work is due again. */
export const SUSPENDED = Symbol('suspended');

const FAILED = 'the suspended runs of a company could not be checked';

interface SuspendedRun {
  companyId: number;
  held: HeldSecrets;
  stop: () => void;
}

type EndedRuns = { reads: Pick<Runs['reads'], 'endedAmong'> };

/** Suspended runs with secrets in this process, which are kept until the run continues or ends. */
@Injectable()
export class SuspendedRuns {
  private readonly suspended = new Map<string, SuspendedRun>();

  constructor(
    private readonly secrets: SecretHolder,
    @Inject(RunNotifications) private readonly notifications: Pick<RunNotifications, 'onEnd'>,
    @Inject(RUNS) private readonly kinds: readonly EndedRuns[],
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  suspend(companyId: number, runId: string): void {
    const held = this.secrets.heldFor(runId);
    if (!held || this.suspended.has(runId)) return;
    const stop = this.notifications.onEnd(runId, () => this.ended(runId));
    this.suspended.set(runId, { companyId, held, stop });
  }

  companyOf(runId: string): number | null {
    return this.suspended.get(runId)?.companyId ?? null;
  }

  resume(runId: string): void {
    this.suspended.get(runId)?.stop();
    this.suspended.delete(runId);
  }

  heldFor(runId: string): HeldSecrets | undefined {
    return this.secrets.heldFor(runId);
  }

  release(runId: string, held: HeldSecrets | undefined): void {
    if (held) this.secrets.release(runId, held);
  }

  /** Runs whose end was missed because its notification was lost. */
  async sweep(stop: AbortSignal): Promise<void> {
    const companies = new Set([...this.suspended.values()].map(({ companyId }) => companyId));
    await forEachCompany(companies, { logger: this.logger, stop, failed: FAILED }, (id) => this.sweepCompany(id));
  }

  private async sweepCompany(companyId: number): Promise<void> {
    const ids = [...this.suspended].filter(([, run]) => run.companyId === companyId).map(([runId]) => runId);
    const ended = await Promise.all(this.kinds.map(({ reads }) => reads.endedAmong(companyId, ids)));
    for (const runId of ended.flat()) if (this.suspended.has(runId)) this.ended(runId);
  }

  private ended(runId: string): void {
    const held = this.suspended.get(runId)?.held;
    this.resume(runId);
    this.release(runId, held);
  }
}
