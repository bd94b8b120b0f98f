import { Injectable } from '@nestjs/common';
import { TryLater } from '@signalbox/bus';
import type { SecretBag } from '@signalbox/egress';
import type { Job } from '@signalbox/platform';
import {
  RunEndedError,
  RunNotifications,
  runIdOf,
  type RunJobs,
  SecretHolder,
  stripUnstorable,
  SUSPENDED,
} from '@signalbox/runs';
import { Consumers, type Execution, INTERRUPTED, SECRETS_UNAVAILABLE } from '../consumers/index.js';
import { LANE_WORK, type LockedTestRun, MAX_LOSSES } from '../run-records/index.js';
import type { Lane, LaneItem } from './lane-item.js';
import { LanePlaces } from './lane-places.js';
import { LaneItems } from './lane-items.repository.js';
import { type EndedItem, LaneRecords } from './lane-records.repository.js';

/** Pause of a lane whose consumer is down. */
const DOWN_MS = 2000;

/** Signals of one job. */
interface Signals {
  signal: AbortSignal;
  stopping: AbortSignal;
}

/** A call that has ended. */
type Called = Pick<EndedItem, 'execution' | 'startedAt' | 'durationMs'>;

/** Executes the items of runs, one after the other in each lane. */
@Injectable()
export class LaneWorker {
  constructor(
    private readonly items: LaneItems,
    private readonly records: LaneRecords,
    private readonly consumers: Consumers,
    private readonly secrets: SecretHolder,
    private readonly notifications: RunNotifications,
  ) {}

  /** The lanes as further work of runs. */
  get jobs(): RunJobs {
    return {
      work: LANE_WORK,
      held: true,
      run: (job, signal, stopping) => this.run(job, { signal, stopping }),
      exhausted: async (job) => {
        await this.items.again({ job });
        return SUSPENDED;
      },
    };
  }

  /** Works until the run has no pending item. The secrets of the run are kept for its other lanes. */
  private async run(job: Job, { signal, stopping }: Signals): Promise<typeof SUSPENDED> {
    const runId = runIdOf(job);
    const over = new AbortController();
    const stop = this.notifications.onEnd(runId, () => over.abort(new RunEndedError()));
    try {
      const run = await this.items.run(job, runId);
      if (!run?.executed || run.status !== 'RUNNING') return SUSPENDED;
      const lane = laneOf(job, run);
      const bag = this.secrets.of(runId);
      if (run.has_secrets && !bag) await this.items.failRest(lane, SECRETS_UNAVAILABLE);
      else await this.work(run, lane, bag, { signal: AbortSignal.any([signal, over.signal]), stopping });
      return SUSPENDED;
    } finally {
      stop();
    }
  }

  private async work(
    run: LockedTestRun,
    lane: Lane,
    bag: SecretBag | undefined,
    { signal, stopping }: Signals,
  ): Promise<void> {
    const second = { ...lane, no: lane.no + run.concurrency };
    const places = new LanePlaces<Lane, LaneItem, Called>([lane, second], stopping, {
      begin: (place) => this.items.begin(place),
      putBack: (at, item) => this.items.putBack(at, item),
      call: async (at, item) => {
        const startedAt = Date.now();
        const ended = await this.execute(run, at, item, { bag, signal, stopping });
        return { execution: stripUnstorable(ended, bag), startedAt, durationMs: Math.max(0, Date.now() - startedAt) };
      },
      isNearEnd: (item) => item.is_near_end,
      record: (at, item, called, goesOn) => this.records.record({ lane: at, item, ...called, goesOn }),
    });
    if (await places.work()) throw new TryLater(0);
  }

  private async execute(
    run: LockedTestRun,
    lane: Lane,
    item: LaneItem,
    { bag, signal, stopping }: Signals & { bag: SecretBag | undefined },
  ): Promise<Execution> {
    if (item.losses >= MAX_LOSSES) return INTERRUPTED;
    const { test_set_item_id, adapted_input, call_id } = item;
    const { companyId } = lane.job;
    // The answer of a model is lost with its call; a run or task is found again by the next worker.
    const waits = run.consumer_kind === 'MODEL' ? signal : AbortSignal.any([signal, stopping]);
    const call = { run, companyId, test_set_item_id, adapted_input, call_id, secrets: bag, signal: waits };
    const execution = await this.consumers.execute(call).catch((error: unknown) => {
      if (signal.aborted || !waits.aborted) throw error;
      return null;
    });
    if (execution) return execution;
    await this.items.putBack(lane, item);
    throw new TryLater(stopping.aborted ? 0 : DOWN_MS);
  }
}

const laneOf = (job: Job, run: LockedTestRun): Lane => ({
  job,
  runId: run.id,
  no: Number(job.ref.split('/')[1]),
  runWork: run.work_kind,
  repeats: run.repeats,
  concurrency: run.concurrency,
});
