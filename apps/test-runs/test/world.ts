import { randomUUID } from 'node:crypto';
import {
  type Agent,
  agents,
  applications,
  type Caller,
  completions,
  evaluationCriteria,
  type Expected,
  type InputOf,
  type ListQuery,
  type Task,
  tasks,
  type TestSet,
  type TestSetItem,
  testSetItems,
  testSets,
  workflowRuns,
  workflows,
} from '@signalbox/contracts';
import { type AuditedChange, auditsAbout, eventsAbout, type Platform } from '@signalbox/testing';

/** A list query as the gateway fills it in. */
export const PAGE: ListQuery = { offset: 0, limit: 25, sort: '-id' };

type NewSet = InputOf<typeof testSets.endpoints.createTestSet>;
type NewCriterion = InputOf<typeof evaluationCriteria.endpoints.createCriteria>;

/** A company, and short ways to what a test starts from. */
export class World {
  private constructor(
    readonly platform: Platform,
    readonly companyId: number,
    readonly key: string,
  ) {}

  static async make(platform: Platform): Promise<World> {
    const { companyId, key } = await platform.company();
    return new World(platform, companyId, key);
  }

  /** A caller of the company with all scopes. */
  caller(change: Partial<Caller> = {}): Caller {
    return this.platform.caller(this.companyId, change);
  }

  criterion(change: Partial<NewCriterion> = {}) {
    const body: NewCriterion = {
      name: 'Exact',
      criteria_type: 'BOOLEAN',
      method: 'EXACT',
      config: {},
      weight: 1,
      enabled: true,
      ...change,
    };
    return this.platform.bus.call(evaluationCriteria.endpoints.createCriteria, body, this.caller());
  }

  set(change: Partial<NewSet> = {}): Promise<TestSet> {
    const body: NewSet = { name: 'Golden', consumer_kinds: [], criteria_ids: [], tags: [], meta: {}, ...change };
    return this.platform.bus.call(testSets.endpoints.createTestSet, body, this.caller());
  }

  /** Adds an item with a question and, unless it is null, the expected answer. */
  item(
    test_set_id: number,
    question: string,
    expected_output: Expected | null = { text: 'yes' },
  ): Promise<TestSetItem> {
    const input = { messages: [{ role: 'user' as const, content: question }] };
    const body = { test_set_id, input, expected_output, meta: {} };
    return this.platform.bus.call(testSetItems.endpoints.createTestSetItem, body, this.caller());
  }

  /** The id of a recorded call of the echoing model. */
  async request(content: string, more: object = {}): Promise<string> {
    const body = { messages: [{ role: 'user', content }], model: 'simulated-echo', ...more };
    const reply: unknown = await this.platform.bus.call(
      completions.endpoints.createCompletion,
      body as never,
      this.caller(),
    );
    return (reply as { request_id: string }).request_id;
  }

  /** An agent that echoes. */
  async agent(change: object = {}): Promise<Agent> {
    const application = await this.platform.bus.call(
      applications.endpoints.createApplication,
      { application_name: 'Shop', state: 'ENABLED', meta: {} },
      this.caller(),
    );
    const body = {
      application_id: application.id,
      agent_name: 'Helper',
      status: 'ENABLED',
      execution_mode: 'reasoning',
      model: 'simulated-echo',
      agent_config: {},
      max_iterations: 10,
      meta: {},
      ...change,
    } as never;
    return this.platform.bus.call(agents.endpoints.createAgent, body, this.caller());
  }

  /** A run of a workflow that returns its input. */
  async workflowRun(
    input: object,
    script = 'async function execute(ctx) {\n  return ctx.input;\n}\n',
  ): Promise<string> {
    const { id: workflow_id } = await this.platform.bus.call(
      workflows.endpoints.createWorkflow,
      {
        workflow_ref_name: `flow-${randomUUID()}`,
        description: '',
        language: 'javascript',
        script,
        execution_mode: 'sync',
        allow_inproc_nesting: false,
        inproc_nested_refs: [],
        timeout_seconds: 30,
        memory_mb: 64,
        status: 'ENABLED',
        meta: {},
      },
      this.caller(),
    );
    const body = { workflow_id, params: {}, secrets: {}, metadata: {}, ...input };
    const run = await this.platform.bus.call(workflowRuns.endpoints.executeWorkflow, body, this.caller());
    return run.id ?? run.run_id ?? '';
  }

  /** A task of the agent that has ended. */
  async task(agent_id: number, input: object): Promise<Task> {
    const body = { agent_id, ...input } as never;
    const reply = await this.platform.bus.call(tasks.endpoints.invokeAgent, body, this.caller());
    const path = { task_id: (reply as unknown as { id: string }).id, wait_seconds: 10 };
    return this.platform.bus.call(tasks.endpoints.getAnyTask, path, this.caller());
  }

  /** Names of the events about one resource, in the order of the outbox. */
  async events(type: string, id: number): Promise<string[]> {
    return (await eventsAbout(this, 'test-runs', type, id)).map(({ event }) => event);
  }

  /** Audit entries about one resource, in the order of the outbox. */
  audits(type: string, id: number): Promise<AuditedChange[]> {
    return auditsAbout(this, 'test-runs', type, id);
  }
}
