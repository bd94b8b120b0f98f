import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { ApiError, chat } from '@signalbox/contracts';
import { derivedUuid, type Job } from '@signalbox/platform';
import { type Attempt, lostFailure, type LostReason, NOW, retriedCall, type RunSteps } from '@signalbox/runs';
import { bodyBytes, type NewRow } from '../../requests/index.js';
import {
  askFor,
  type AugmentationAct,
  nextAct,
  reasoningIn,
  type RunningAugmentation,
  type SourceRow,
  variationsIn,
} from './augmentation.js';
import { Augmentations } from './augmentation-kind.js';
import { AugmentedRows, type ExtendedBatch } from './augmented-rows.repository.js';

type Extended = { id: number; reasoning: Record<string, unknown> } | NewRow[] | { problem: string };

/** Asks a model about each row, in batches. */
@Injectable()
export class AugmentationSteps implements RunSteps<RunningAugmentation, AugmentationAct, ExtendedBatch | null> {
  constructor(
    private readonly runs: Augmentations,
    private readonly rows: AugmentedRows,
    private readonly bus: BusClient,
  ) {}

  load(companyId: number, id: string): Promise<RunningAugmentation | null> {
    return this.runs.load(companyId, id);
  }

  start(): Promise<never> {
    return Promise.reject(new Error('an augmentation is never queued'));
  }

  next(run: RunningAugmentation): AugmentationAct {
    return nextAct(run);
  }

  isEnd(act: AugmentationAct): boolean {
    return act === 'complete' || act === 'fail';
  }

  async act(attempt: Attempt<RunningAugmentation>, act: AugmentationAct): Promise<{ made: ExtendedBatch | null }> {
    if (act === 'start') return { made: null };
    const { job, run } = attempt;
    const rows = await this.rows.next(job.companyId, run);
    const extended = await Promise.all(rows.map((row) => this.extended(attempt, row)));
    const problems = extended.flatMap((each) => ('problem' in each ? [each.problem] : []));
    return {
      made: {
        cursor: rows.at(-1)?.id ?? run.upto,
        reasonings: extended.flatMap((each) => ('reasoning' in each ? [each] : [])),
        variations: extended.flatMap((each) => (Array.isArray(each) ? each : [])),
        failed: problems.length,
        last_error: problems.at(-1) ?? null,
      },
    };
  }

  /** A failure of the model fails this row only. */
  private async extended({ job, run, signal }: Attempt<RunningAugmentation>, row: SourceRow): Promise<Extended> {
    const call = {
      ...askFor(run, row),
      model: run.model,
      // A worker that takes over gets the answers that a lost one asked for.
      request_id: derivedUuid(`training ${job.companyId} augmentation ${run.id} ${row.id}`),
      request_type: 'SYNTHETIC' as const,
      origin_id: run.id,
      metadata: {},
    };
    try {
      const { message } = await retriedCall(job.companyId, signal, (caller) =>
        this.bus.call(chat.endpoints.complete, call, caller),
      );
      const made =
        run.type === 'reasoning'
          ? reasoningIn(message.content, run.schema)
          : variationsIn(message.content, row, run.count);
      if (made === null) return { problem: 'the model gave no usable answer' };
      if (!Array.isArray(made)) return { id: row.id, reasoning: made };
      made.forEach(bodyBytes);
      return made;
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind === 'unavailable' || error.kind === 'internal') throw error;
      return { problem: error.message.slice(0, 1000) };
    }
  }

  async record(
    { job, run }: Attempt<RunningAugmentation>,
    batch: ExtendedBatch | null,
  ): Promise<AugmentationAct | null> {
    if (batch === null) {
      await this.runs.writes.moveByJob(job, 'start', { started_at: NOW });
      run.status = 'RUNNING';
      return this.next(run);
    }
    try {
      run.produced += await this.rows.write(job, batch);
    } catch (error) {
      // The dataset was deleted, archived or filled meanwhile.
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      run.last_error = error.message;
      run.refused = true;
      run.produced = 0;
      return 'fail';
    }
    run.cursor = batch.cursor;
    run.failed += batch.failed;
    run.last_error = batch.last_error ?? run.last_error;
    return this.next(run);
  }

  end({ job, run }: Attempt<RunningAugmentation>, act: AugmentationAct): Promise<void> {
    if (act === 'complete') return this.runs.writes.moveByJob(job, 'complete');
    const error_message = run.last_error ?? 'no row could be extended';
    const cause = run.refused
      ? { failure_class: 'adapter' as const, error_code: 'invalid_config' as const }
      : { failure_class: 'provider' as const, error_code: 'provider_error' as const };
    return this.runs.writes.moveByJob(job, 'fail', { ...cause, error_message });
  }

  endLost(job: Job, error_code: LostReason): Promise<void> {
    return this.runs.writes.moveByJob(job, 'fail', lostFailure(error_code));
  }
}
