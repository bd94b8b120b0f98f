import { Injectable } from '@nestjs/common';
import { TryLater } from '@signalbox/bus';
import type { SecretBag } from '@signalbox/egress';
import type { Job } from '@signalbox/platform';
import { RunEndedError, RunNotifications, runIdOf, type RunJobs, SecretHolder, SUSPENDED } from '@signalbox/runs';
import {
  ConsumerExecutors,
  type ItemResult,
  INTERRUPTED,
  SECRETS_UNAVAILABLE,
  storableResult,
} from '../consumers/index.js';
import { ITEM_WORK, type LockedTestRun, MAX_LOSSES, TestRunRows } from '../run-records/index.js';
import { callItems } from './call-pipeline.js';
import { ItemQueue } from './item-queue.repository.js';
import type { TimedResult, ItemSlot, TakenItem } from './item-slot.js';
import { ResultBatcher } from './result-batcher.js';

/** How long a job keeps its worker while jobs of other companies wait. */
const TURN_MS = 5000;
const DOWN_MS = 2000;

interface CallContext {
  run: LockedTestRun;
  secrets: SecretBag | undefined;
  /** Aborts when the job is lost or the run has ended. */
  signal: AbortSignal;
  ended: AbortSignal;
  stopping: AbortSignal;
}

/** As many jobs per run as concurrent calls, each with one call at a time. */
@Injectable()
export class ItemWorker {
  constructor(
    private readonly rows: TestRunRows,
    private readonly items: ItemQueue,
    private readonly results: ResultBatcher,
    private readonly consumers: ConsumerExecutors,
    private readonly secrets: SecretHolder,
    private readonly notifications: RunNotifications,
  ) {}

  /** The jobs `<run>/1` to `<run>/<concurrency>`. */
  get jobs(): RunJobs {
    return {
      work: ITEM_WORK,
      held: true,
      run: (job, signal, stopping) => this.run(job, signal, stopping),
      onExhausted: async (job) => {
        await this.items.restart(job);
        return SUSPENDED;
      },
    };
  }

  /** Until the run has no pending item. The secrets are kept for its other jobs. */
  private async run(job: Job, lost: AbortSignal, stopping: AbortSignal): Promise<typeof SUSPENDED> {
    const runId = runIdOf(job);
    const ended = new AbortController();
    const unsubscribe = this.notifications.onEnd(runId, () => ended.abort(new RunEndedError()));
    try {
      const run = await this.rows.load(job.companyId, runId);
      if (!run?.executed || run.status !== 'RUNNING') return SUSPENDED;
      const slot = slotOf(job, run);
      const secrets = this.secrets.of(runId);
      if (run.has_secrets && !secrets) await this.items.failOpenItems(slot, SECRETS_UNAVAILABLE);
      else {
        const signals = { signal: AbortSignal.any([lost, ended.signal]), ended: ended.signal, stopping };
        await this.work(slot, { run, secrets, ...signals });
      }
      return SUSPENDED;
    } finally {
      unsubscribe();
    }
  }

  private async work(slot: ItemSlot, context: CallContext): Promise<void> {
    const second = { ...slot, no: slot.no + slot.concurrency };
    const until = Date.now() + TURN_MS;
    const goesOn = (): boolean => !context.stopping.aborted && Date.now() < until;
    const hasYielded = await callItems<ItemSlot, TakenItem, TimedResult>([slot, second], goesOn, {
      start: (at, onlyLeft) => this.results.start(at, onlyLeft),
      call: (at, item) => this.call(at, item, context),
      isNearEnd: (item) => item.is_near_end,
      record: (at, item, call, takesNext) => this.results.record(at, item, call, takesNext),
      putBack: (at, item) => this.results.putBack(at, item),
    });
    if (hasYielded) throw new TryLater(0);
  }

  private async call(slot: ItemSlot, item: TakenItem, context: CallContext): Promise<TimedResult> {
    const startedAt = Date.now();
    const result = await this.execute(slot, item, context);
    return { result: storableResult(result, context.secrets), ...timesOf(result, startedAt, Date.now()) };
  }

  private async execute(slot: ItemSlot, item: TakenItem, context: CallContext): Promise<ItemResult> {
    if (item.losses >= MAX_LOSSES) return INTERRUPTED;
    const { run, secrets, signal, ended, stopping } = context;
    const { test_set_item_id, adapted_input, call_id } = item;
    const { companyId } = slot.job;
    const waits = isLostWithCall(run) ? signal : AbortSignal.any([signal, stopping]);
    const call = { run, companyId, test_set_item_id, adapted_input, call_id, secrets, signal: waits, ended };
    const result = await this.consumers.execute(call).catch((error: unknown) => {
      if (signal.aborted || !waits.aborted) throw error;
      return null;
    });
    if (result) return result;
    await this.results.putBack(slot, item);
    throw new TryLater(stopping.aborted ? 0 : DOWN_MS);
  }
}

/** Work that an earlier worker started and this one found again took longer than this call. */
function timesOf({ duration_ms }: ItemResult, called: number, ended: number): Omit<TimedResult, 'result'> {
  const durationMs = Math.max(0, ended - called, duration_ms ?? 0);
  return { startedAt: ended - durationMs, durationMs };
}

/** True when the answer may be lost with its call; a run or task is found again by the next worker. */
const isLostWithCall = ({ consumer_kind }: LockedTestRun): boolean =>
  consumer_kind === 'MODEL' || consumer_kind === 'EXTERNAL';

const slotOf = (job: Job, run: LockedTestRun): ItemSlot => ({
  job,
  runId: run.id,
  no: Number(job.ref.split('/')[1]),
  runWork: run.work_kind,
  repeats: run.repeats,
  concurrency: run.concurrency,
});
