import {
  actions,
  agents,
  agentVersions,
  apiKeys,
  applications,
  completions,
  type Endpoint,
  evaluationCriteria,
  intentGroups,
  intents,
  models,
  portalSessions,
  providers,
  type Scope,
  tasks,
  testSetItems,
  testRuns,
  testSets,
} from '@signalbox/contracts';
import type { HttpTarget, TargetScript } from '../fakes/http-target.js';
import type { RawClient } from './raw-client.js';
import { eventually } from '../platform/platform.js';

type Json = Record<string, unknown>;

const HANGING_PATH = '/hang';

export const fixtureTarget: TargetScript = ({ path }) => ({ hang: path === HANGING_PATH });

/** One of each resource of a company, created over the public API on first use. */
export class ConformanceFixtures {
  private readonly created = new Map<string, Promise<Json>>();
  private counter = 0;

  constructor(
    private readonly rawClient: RawClient,
    readonly companyId: number,
    readonly key: string,
    private readonly target?: HttpTarget,
  ) {}

  fresh(word: string): string {
    return `${word}-${this.companyId}-${++this.counter}`;
  }

  get baseUrl(): string {
    return this.rawClient.baseUrl;
  }

  get hangingUrl(): string {
    if (!this.target) throw new Error('these fixtures have no target that could be called');
    return `${this.target.url}${HANGING_PATH}`;
  }

  async call(endpoint: Endpoint, input: Json): Promise<Json> {
    const reply = await this.rawClient.send(endpoint, input, { key: this.key });
    if (reply.status !== 200)
      throw new Error(
        `the fixtures need ${endpoint.contract}.${endpoint.name}, which answered ${reply.status}: ${reply.text.slice(0, 400)}`,
      );
    return (JSON.parse(reply.text) as { data: Json }).data;
  }

  once(name: string, make: () => Promise<Json>): Promise<Json> {
    let known = this.created.get(name);
    if (!known) this.created.set(name, (known = make()));
    return known;
  }

  async idOf(resource: Promise<Json>): Promise<unknown> {
    return (await resource).id;
  }

  application = (): Promise<Json> => this.once('application', () => this.newApplication());
  newApplication = (): Promise<Json> =>
    this.call(applications.endpoints.createApplication, { application_name: this.fresh('Shop') });

  intent = (): Promise<Json> => this.once('intent', () => this.newIntent());
  newIntent = async (): Promise<Json> =>
    this.call(intents.endpoints.createIntent, {
      application_id: await this.idOf(this.application()),
      action_type: this.fresh('ask'),
    });

  intentGroup = (): Promise<Json> => this.once('intentGroup', () => this.newIntentGroup());
  newIntentGroup = (): Promise<Json> =>
    this.call(intentGroups.endpoints.createIntentGroup, { intent_group_name: this.fresh('ask') });

  provider = (): Promise<Json> => this.once('provider', () => this.newProvider());
  newProvider = (): Promise<Json> =>
    this.call(providers.endpoints.createProvider, { provider_name: this.fresh('sim'), kind: 'simulated' });

  model = (): Promise<Json> => this.once('model', () => this.newModel());
  newModel = async (): Promise<Json> =>
    this.call(models.endpoints.createModel, {
      model_name: this.fresh('model'),
      provider_id: await this.idOf(this.provider()),
    });

  agent = (): Promise<Json> => this.once('agent', () => this.newAgent());
  newAgent = async (): Promise<Json> =>
    this.call(agents.endpoints.createAgent, {
      application_id: await this.idOf(this.application()),
      agent_name: this.fresh('Helper'),
      model: 'simulated-echo',
    });

  action = (): Promise<Json> => this.once('action', () => this.newAction());
  newAction = async (): Promise<Json> =>
    this.call(actions.endpoints.createAction, { agent_id: await this.idOf(this.agent()), ...this.actionBody() });
  actionBody = (): Json => ({
    action_name: this.fresh('Say'),
    action_type: 'llm',
    description: 'greets',
    action_config: { prompt: 'Say hi' },
  });

  version = (): Promise<Json> => this.once('version', () => this.newVersion());
  newVersion = async (): Promise<Json> => {
    const agent_id = await this.idOf(this.agent());
    await this.call(agents.endpoints.updateAgent, { agent_id, description: this.fresh('changed') });
    return this.call(agentVersions.endpoints.publishVersion, { agent_id });
  };

  release = (): Promise<Json> => this.once('release', () => this.newRelease());
  newRelease = async (): Promise<Json> => {
    const { version } = await this.version();
    return this.call(agentVersions.endpoints.createRelease, {
      agent_id: await this.idOf(this.agent()),
      name: this.fresh('release'),
      version,
    });
  };

  task = (): Promise<Json> => this.once('task', () => this.newTask(true));
  newTask = async (wait: boolean): Promise<Json> =>
    this.call(tasks.endpoints.invokeAgent, {
      agent_id: await this.idOf(this.agent()),
      message: 'hello',
      session_id: this.fresh('session'),
      wait,
    });

  request = (): Promise<Json> => this.once('request', () => this.newRequest());
  newRequest = async (more: Json = {}): Promise<Json> => {
    const input = { messages: [{ role: 'user', content: 'hello' }], session_id: this.fresh('visit'), ...more };
    const reply = await this.rawClient.send(completions.endpoints.createCompletion, input, { key: this.key });
    if (reply.status !== 200) throw new Error(`the fixtures need a request: ${reply.text.slice(0, 400)}`);
    return JSON.parse(reply.text) as Json;
  };

  newHookKey = async (): Promise<string> => (await this.newWaitingTask()).hook_key;

  /** Waits for a callback, hence has not ended. */
  newWaitingTask = async (): Promise<{ agent_id: unknown; task_id: unknown; hook_key: string }> => {
    const { target } = this;
    if (!target) throw new Error('these fixtures have no target that could call back');
    const agent_id = await this.idOf(this.newAgent());
    await this.call(actions.endpoints.createAction, {
      ...this.actionBody(),
      agent_id,
      action_type: 'webhook',
      is_default: true,
      action_config: { endpoint: target.url, mode: 'callback', body: { reply_to: '{{callback_url}}', agent_id } },
    });
    const { task_id } = await this.call(tasks.endpoints.invokeAgent, { agent_id, message: 'hello' });
    const call = target.calls.find(({ body }) => body.includes(`"agent_id":${String(agent_id)},`));
    const { reply_to } = JSON.parse(String(call?.body)) as { reply_to: string };
    return { agent_id, task_id, hook_key: reply_to.split('/').at(-1) ?? '' };
  };

  criteria = (): Promise<Json> => this.once('criteria', () => this.newCriteria());
  newCriteria = (): Promise<Json> =>
    this.call(evaluationCriteria.endpoints.createCriteria, {
      name: this.fresh('Exact'),
      criteria_type: 'BOOLEAN',
      method: 'EXACT',
    });

  testSet = (): Promise<Json> => this.once('testSet', () => this.newTestSet());
  newTestSet = async (): Promise<Json> =>
    this.call(testSets.endpoints.createTestSet, {
      name: this.fresh('Golden'),
      criteria_ids: [await this.idOf(this.criteria())],
    });

  testSetItem = (): Promise<Json> => this.once('testSetItem', () => this.newTestSetItem());
  newTestSetItem = async (): Promise<Json> =>
    this.call(testSetItems.endpoints.createTestSetItem, {
      test_set_id: await this.idOf(this.testSet()),
      input: { messages: [{ role: 'user', content: 'hello' }] },
      expected_output: { text: 'hello' },
    });

  testRun = (): Promise<Json> => this.once('testRun', () => this.newTestRun());
  newTestRun = async (): Promise<Json> =>
    this.call(testRuns.endpoints.createTestRun, {
      test_set_id: await this.idOf(this.testSet()),
      consumer_kind: 'MODEL',
      consumer_config: { model: 'simulated-echo' },
    });

  completedTestRun = (): Promise<Json> => this.once('completedTestRun', () => this.newCompletedTestRun());
  newCompletedTestRun = async (): Promise<Json> => {
    await this.testSetItem();
    const { id } = await this.newTestRun();
    await this.call(testRuns.endpoints.prepareTestRun, { id });
    await this.call(testRuns.endpoints.executeTestRun, { id });
    return eventually('the test run is completed', async () => {
      const run = await this.call(testRuns.endpoints.getTestRun, { id });
      return run['status'] === 'COMPLETED' ? run : undefined;
    });
  };

  async newPortalSession(): Promise<Json> {
    await this.rawClient.signIn(this.key);
    const list = await this.call(portalSessions.endpoints.listPortalSessions, { limit: 1 });
    return (list as unknown as Json[])[0] ?? {};
  }
  apiKey = (): Promise<Json> => this.once('apiKey', () => this.newApiKey(['read']));
  newApiKey = (scopes: Scope[], more: Json = {}): Promise<Json> =>
    this.call(apiKeys.endpoints.createApiKey, { name: this.fresh('key'), scopes, ...more });
}
