import { Serves } from '@signalbox/bus';
import {
  type AdaptedInputPreview,
  type Caller,
  type CallTo,
  earlierReply,
  type Handlers,
  type JsonText,
  parseConsumerConfig,
  type PreparedTestRun,
  RESETTABLE_CLASSES,
  type ResetTestRun,
  type ScoreSummary,
  type StreamPart,
  type TestRun,
  testRuns,
} from '@signalbox/contracts';
import { Comparisons } from '../run-comparison/index.js';
import { adapt, ConsumerExecutors, InputSchemas } from '../consumers/index.js';
import { ResetItems, RunItems } from '../run-items/index.js';
import { ScoreRequests, Scorings } from '../scoring/index.js';
import { TestSets } from '../sets/index.js';
import { TestRunLifecycle } from './test-run-lifecycle.repository.js';
import { Preparations } from './preparation.repository.js';
import { requiredSecrets } from './required-secrets.js';
import {
  type LockedTestRun,
  moved,
  RunProgressEvents,
  startsNow,
  TestRunRows,
  TestRuns,
} from '../run-records/index.js';
import { TestSetItemInputs } from './test-set-item-inputs.repository.js';

type C = typeof testRuns;

@Serves(testRuns)
export class TestRunHandlers implements Handlers<C> {
  constructor(
    private readonly rows: TestRunRows,
    private readonly runs: TestRuns,
    private readonly preparations: Preparations,
    private readonly lifecycle: TestRunLifecycle,
    private readonly items: RunItems,
    private readonly resets: ResetItems,
    private readonly sources: TestSetItemInputs,
    private readonly progress: RunProgressEvents,
    private readonly scoring: ScoreRequests,
    private readonly scorings: Scorings,
    private readonly comparisons: Comparisons,
    private readonly consumers: ConsumerExecutors,
    private readonly sets: TestSets,
    private readonly schemas: InputSchemas,
  ) {}

  async createTestRun({ input, caller }: CallTo<C, 'createTestRun'>): Promise<JsonText<TestRun>> {
    const { consumer_kind, consumer_config: config, name = null, description = null, ...rest } = input;
    const consumer_config = parseConsumerConfig(consumer_kind, config);
    const found = await this.consumers.find(consumer_kind, consumer_config, caller);
    const { id: consumer_id, name: target_name } = found;
    return this.rows.create(caller, {
      ...rest,
      name,
      description,
      consumer_kind,
      consumer_config: found.config ?? consumer_config,
      consumer_id,
      target_name,
    });
  }

  listTestRuns({ input, caller }: CallTo<C, 'listTestRuns'>) {
    return this.rows.listBy(caller.companyId, input);
  }

  async listRunsOfTestSet({ input: { test_set_id, ...query }, caller: { companyId } }: CallTo<C, 'listRunsOfTestSet'>) {
    await this.sets.require(companyId, test_set_id);
    return this.rows.listBy(companyId, { ...query, test_set_id });
  }

  getTestRun({ input, caller }: CallTo<C, 'getTestRun'>) {
    return this.rows.get(caller.companyId, input.id);
  }

  updateTestRun({ input: { id, ...change }, caller }: CallTo<C, 'updateTestRun'>) {
    return this.rows.update(caller, id, change);
  }

  deleteTestRun({ input, caller }: CallTo<C, 'deleteTestRun'>) {
    return this.rows.remove(caller, input.id);
  }

  /** The version of the consumer is fixed now, wherever a release points later. */
  async prepareTestRun({ input, caller }: CallTo<C, 'prepareTestRun'>): Promise<PreparedTestRun> {
    const earlier = earlierReply<PreparedTestRun>(caller);
    if (earlier) return earlier;
    const found = await this.rows.find(caller.companyId, input.id);
    moved(found, 'prepare');
    const target = await this.target(found, caller);
    return this.preparations.prepare(caller, found, target);
  }

  async executeTestRun({ input, caller }: CallTo<C, 'executeTestRun'>): Promise<JsonText<TestRun>> {
    const found = await this.rows.find(caller.companyId, input.id);
    if (!startsNow(found)) return this.rows.get(caller.companyId, input.id);
    const bag = await this.secretsOf(found, input.secrets, caller);
    return this.lifecycle.execute(caller, input.id, { concurrency: input.concurrency, bag });
  }

  async resetFailed({ input, caller }: CallTo<C, 'resetFailed'>): Promise<ResetTestRun> {
    const found = await this.rows.find(caller.companyId, input.id);
    moved(found, 'reset');
    const classes = input.classes ?? [...RESETTABLE_CLASSES];
    // Neither secrets nor the consumer are needed when nothing is executed.
    if (!(await this.resets.hasFailed(caller.companyId, found.id, classes)))
      return { ...(JSON.parse((await this.rows.get(caller.companyId, input.id)).text) as TestRun), reset_count: 0 };
    const bag = await this.secretsOf(found, input.secrets, caller);
    const adapts = found.consumer_kind === 'WORKFLOW' || found.consumer_config['intent_id'] != null;
    const { input_schema: schema, defaults } = adapts ? await this.target(found, caller) : {};
    return this.lifecycle.reset(caller, found, { classes, schema, defaults }, bag);
  }

  async getTestRunProgress({ input, caller: { companyId } }: CallTo<C, 'getTestRunProgress'>) {
    const { id } = await this.rows.find(companyId, input.id);
    return this.progress.of(companyId, id);
  }

  async streamTestRun({ input, caller: { companyId } }: CallTo<C, 'streamTestRun'>): Promise<StreamPart> {
    const { id, status, last_seq } = await this.rows.find(companyId, input.id);
    const ended = status === 'COMPLETED' && !(await this.scorings.isStreamed(companyId, id));
    return this.runs.stream.part(companyId, id, input.last_event_id, { ended, last_seq });
  }

  cancelTestRun({ input, caller }: CallTo<C, 'cancelTestRun'>) {
    return this.lifecycle.cancel(caller, input.id);
  }

  async scoreTestRun({ input, caller }: CallTo<C, 'scoreTestRun'>): Promise<ScoreSummary> {
    const { criteria_ids } = input;
    const run = await this.rows.find(caller.companyId, input.id);
    if (criteria_ids) await this.rows.requireExisting(caller.companyId, criteria_ids);
    return this.scoring.score(caller, run, criteria_ids ?? null);
  }

  async listRunItems({ input: { id, ...query }, caller: { companyId } }: CallTo<C, 'listRunItems'>) {
    const run = await this.rows.find(companyId, id);
    return this.items.list(companyId, run.id, query);
  }

  async getRunItem({ input, caller: { companyId } }: CallTo<C, 'getRunItem'>) {
    const run = await this.rows.find(companyId, input.id);
    return this.items.get(companyId, run.id, input.item_id);
  }

  async listItemScores({ input: { id, item_id, ...query }, caller: { companyId } }: CallTo<C, 'listItemScores'>) {
    const run = await this.rows.find(companyId, id);
    return this.items.scores(companyId, run.id, item_id, query);
  }

  async listItemAttempts({ input: { id, item_id, ...query }, caller: { companyId } }: CallTo<C, 'listItemAttempts'>) {
    const run = await this.rows.find(companyId, id);
    return this.items.attempts(companyId, run.id, item_id, query);
  }

  compareTestRuns({ input, caller, signal }: CallTo<C, 'compareTestRuns'>) {
    return this.comparisons.compare(caller, input, signal);
  }

  async previewAdaptedInput({ input, caller }: CallTo<C, 'previewAdaptedInput'>): Promise<AdaptedInputPreview> {
    const config = parseConsumerConfig(input.consumer_kind, input.consumer_config);
    const item = await this.sources.input(caller.companyId, input.test_set_item_id);
    const { input_schema, defaults } = await this.consumers.find(input.consumer_kind, config, caller);
    return this.schemas.checked(caller.companyId, adapt(input.consumer_kind, item, config, defaults), input_schema);
  }

  /** At the version with which the run was prepared, wherever its release points now. */
  private target({ consumer_kind, consumer_config, consumer_version: version }: LockedTestRun, caller: Caller) {
    const { release: _moved, ...config } = consumer_config;
    const pinned = version === null ? consumer_config : { ...config, version };
    return this.consumers.find(consumer_kind, parseConsumerConfig(consumer_kind, pinned), caller);
  }

  private async secretsOf(run: LockedTestRun, given: Record<string, string>, caller: Caller) {
    if (run.consumer_kind !== 'AGENT' && run.consumer_kind !== 'EXTERNAL')
      return requiredSecrets(run.consumer_kind, [], given);
    const { secrets: needed } = await this.target(run, caller);
    return requiredSecrets(run.consumer_kind, needed, given);
  }
}
