import { Serves } from '@signalbox/bus';
import {
  type Caller,
  type CallTo,
  earlierReply,
  type EvaluatedRun,
  evaluatedRuns,
  type Handlers,
  type InputOf,
  nullIfNotFound,
  parseConsumerConfig,
  type TestRun,
} from '@signalbox/contracts';
import { RunWaits } from '@signalbox/runs';
import { ConsumerExecutors } from '../consumers/index.js';
import { type LockedTestRun, TestRunRows } from '../run-records/index.js';
import { requiredSecrets, RunStarts } from '../runs/index.js';
import { ScoreRequests } from '../scoring/index.js';
import { Baselines } from './baselines.repository.js';
import { NamedReleases } from './named-releases.js';

type C = typeof evaluatedRuns;
type Input = InputOf<C['endpoints']['runTestSet']>;

interface StartedRun {
  id: string;
  no: number;
}

/** Between the end of a wait and the deadline of the call, to build the reply. */
const REPLY_MARGIN_MS = 4000;

@Serves(evaluatedRuns)
export class EvaluatedRunHandlers implements Handlers<C> {
  constructor(
    private readonly rows: TestRunRows,
    private readonly starts: RunStarts,
    private readonly consumers: ConsumerExecutors,
    private readonly scoring: ScoreRequests,
    private readonly baselines: Baselines,
    private readonly releases: NamedReleases,
    private readonly waits: RunWaits,
  ) {}

  async runTestSet({ input, caller }: CallTo<C, 'runTestSet'>): Promise<EvaluatedRun> {
    const { id, no } = earlierReply<StartedRun>(caller) ?? (await this.start(input, caller));
    const { companyId, deadline } = caller;
    const until = Math.min(deadline - REPLY_MARGIN_MS, Date.now() + input.wait_seconds * 1000);
    await this.waits.untilEnded(id, until, async () => {
      const run = await this.rows.load(companyId, id);
      return run?.status === 'RUNNING' ? null : true;
    });
    return this.shown(no, input, caller);
  }

  /** A release without a version runs the version that the release points at. */
  private async start(input: Input, caller: Caller): Promise<StartedRun> {
    const { release, baseline_run_id, secrets, concurrency, wait_seconds: _wait, ...created } = input;
    const { consumer_kind, test_set_id, name = null, description = null } = created;
    const config = parseConsumerConfig(consumer_kind, targetConfig(input));
    const consumer = await this.consumers.find(consumer_kind, config, caller);
    const { config: consumer_config = config, id: consumer_id, name: target_name, secrets: needed, version } = consumer;
    if (release !== undefined) await this.releases.require({ consumer_kind, consumer_id, version }, release, caller);
    if (baseline_run_id !== undefined) await this.baselines.require(caller.companyId, baseline_run_id, test_set_id);
    const values = { ...created, name, description, consumer_config, consumer_id, target_name };
    const bag = requiredSecrets(consumer_kind, needed, secrets);
    return this.starts.start(caller, values, { consumer, concurrency, bag }, (_tx, { id, no }) =>
      Promise.resolve({ id, no }),
    );
  }

  private async shown(no: number, { release, baseline_run_id }: Input, caller: Caller): Promise<EvaluatedRun> {
    const { companyId } = caller;
    const run = await this.rows.find(companyId, no);
    const record = JSON.parse((await this.rows.get(companyId, no)).text) as TestRun;
    if (record.status !== 'COMPLETED' || record.scored_at === null)
      return { ...record, summary: null, gate: null, compared_with: null };
    const [summary, gate, compared_with] = await Promise.all([
      this.scoring.summaryOf(companyId, run.id),
      this.gate(run, release, caller),
      this.baselines.compare(caller, run, baseline_run_id),
    ]);
    return { ...record, summary, gate, compared_with };
  }

  private async gate(run: LockedTestRun, release_name: string | undefined, caller: Caller) {
    const { consumer_version: version } = run;
    if (release_name === undefined || version === null) return null;
    // The release may have been renamed or deleted while the run was executed.
    return this.releases.check(run, { release_name, version }, caller).catch(nullIfNotFound);
  }
}

function targetConfig({ consumer_kind, consumer_config, release }: Input): Record<string, unknown> {
  const names = consumer_config['version'] ?? consumer_config['release'];
  // A program is not told what to run: its configuration names the version that runs there.
  return consumer_kind === 'MODEL' || consumer_kind === 'EXTERNAL' || release === undefined || names != null
    ? consumer_config
    : { ...consumer_config, release };
}
