import {
  agents,
  ApiError,
  type Execution,
  type InputOf,
  models,
  providers,
  type RunTimelineEvent,
  type StreamPart,
  type WorkflowRun,
  workflowRuns,
} from '@signalbox/contracts';
import {
  eventually,
  type HttpTarget,
  type ModelProvider,
  Platform,
  startHttpTarget,
  startModelProvider,
} from '@signalbox/testing';
import { type NewWorkflow, PAGE, World } from './world.js';

const api = workflowRuns.endpoints;
type Execute = Omit<InputOf<typeof api.executeWorkflow>, 'workflow_id'>;

const SERVICES = ['accounts', 'traffic', 'agents', 'monitors', 'workflows', 'runner'];

/** A platform that runs workflows, with a model provider and an API in the outside world. */
export class RunWorld {
  private constructor(
    readonly platform: Platform,
    readonly provider: ModelProvider,
    readonly target: HttpTarget,
  ) {}

  /** On the shared platform, with further services running. */
  static start(...more: string[]): Promise<RunWorld> {
    return RunWorld.on(Platform.shared([...SERVICES, ...more]));
  }

  /**
   * On a separate platform: for other settings, or for tests in which it matters which processes have died. Their work
   * continues soon.
   */
  static apart(env: Record<string, string> = {}, ...more: string[]): Promise<RunWorld> {
    const own = { EGRESS_ALLOW: '127.0.0.1/32', WORK_LEASE_SECONDS: '10', ...env };
    return RunWorld.on(Platform.start({ services: [...SERVICES, ...more], env: own }));
  }

  private static async on(starting: Promise<Platform>): Promise<RunWorld> {
    const [platform, provider, target] = await Promise.all([starting, startModelProvider(), startHttpTarget()]);
    return new RunWorld(platform, provider, target);
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    await Promise.all([this.provider.close(), this.target.close()]);
  }

  async company(): Promise<RunCompany> {
    return new RunCompany(this, await World.make(this.platform));
  }
}

function unlessDown(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.kind !== 'unavailable') throw error;
}

/** A company with short ways to execute its workflows. */
export class RunCompany {
  constructor(
    readonly outside: RunWorld,
    readonly world: World,
  ) {}

  /** A model `m` on the provider of the outside world. */
  async model(): Promise<void> {
    const provider = await this.world.platform.bus.call(
      providers.endpoints.createProvider,
      {
        provider_name: 'outside',
        kind: 'openai_compatible',
        base_url: this.outside.provider.url,
        api_key: 'sk-anything',
        default_headers: {},
        timeout_ms: 20_000,
        status: 'ENABLED',
      },
      this.world.caller(),
    );
    const able = { supports_tools: true, supports_json_schema: true, trainable: false, status: 'ENABLED' } as const;
    const prices = { input_price_per_mtok: 1, output_price_per_mtok: 1 };
    await this.world.platform.bus.call(
      models.endpoints.createModel,
      { model_name: 'm', provider_id: provider.id, ...able, ...prices },
      this.world.caller(),
    );
  }

  /** An agent on model `m`. */
  async agent(agent_name: string): Promise<number> {
    const body = {
      application_id: this.world.applicationId,
      agent_name,
      model: 'm',
      status: 'ENABLED' as const,
      execution_mode: 'reasoning' as const,
      agent_config: {},
      max_iterations: 4,
      meta: {},
    };
    const { id } = await this.world.platform.bus.call(agents.endpoints.createAgent, body, this.world.caller());
    return id;
  }

  /** A workflow with the body of `execute(ctx)`. */
  async workflow(body: string, change: Partial<NewWorkflow> = {}): Promise<number> {
    const script = `async function execute(ctx) {\n${body}\n}\n`;
    return (await this.world.workflow({ script, ...change })).id;
  }

  execute(workflow_id: number, change: Partial<Execute> = {}, caller = this.world.caller()): Promise<Execution> {
    const body = { workflow_id, params: {}, secrets: {}, metadata: {}, ...change };
    return this.world.platform.bus.call(api.executeWorkflow, body, caller);
  }

  /** Executes a workflow and returns the run when it has ended. */
  async run(workflowId: number, change: Partial<Execute> = {}): Promise<WorkflowRun> {
    const { run_id = '' } = await this.execute(workflowId, { ...change, mode: 'async' });
    return this.ended(run_id);
  }

  /** Runs the body of `execute(ctx)` once. */
  async runBody(
    body: string,
    change: Partial<Execute> = {},
    workflow: Partial<NewWorkflow> = {},
  ): Promise<WorkflowRun> {
    return this.run(await this.workflow(body, workflow), change);
  }

  get(run_id: string, wait_seconds = 0): Promise<WorkflowRun> {
    return this.world.platform.bus.call(api.getRun, { run_id, wait_seconds }, this.world.caller());
  }

  /** Waits until a run has ended. */
  ended(runId: string, limitMs?: number): Promise<WorkflowRun> {
    const check = async () => {
      // A service that restarts refuses calls meanwhile.
      const run = await this.get(runId, 10).catch(unlessDown);
      return run?.completed_at ? run : undefined;
    };
    return eventually(`run ${runId} ends`, check, limitMs);
  }

  async timeline(run_id: string, include_children = false): Promise<RunTimelineEvent[]> {
    const input = { run_id, include_children, ...PAGE, limit: 100 };
    return (await this.world.platform.bus.call(api.listRunTimeline, input, this.world.caller())).data;
  }

  /** The part of the stream of a run after an event. */
  stream(run_id: string, last_event_id = 0): Promise<StreamPart> {
    return this.world.platform.bus.call(api.streamRun, { run_id, last_event_id }, this.world.caller());
  }
}
