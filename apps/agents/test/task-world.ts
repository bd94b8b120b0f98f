import {
  type AgentAction,
  type ApiError,
  type InputOf,
  type Invocation,
  models,
  type Page,
  providers,
  type Task,
  tasks,
  type TimelineEvent,
} from '@signalbox/contracts';
import {
  COUNTING,
  eventually,
  type HttpTarget,
  type ModelProvider,
  Platform,
  startHttpTarget,
  startModelProvider,
} from '@signalbox/testing';
import { PAGE, World } from './world.js';

type Invoke = InputOf<typeof tasks.endpoints.invokeAgent>;
type Made = Parameters<World['agent']>[0];
type MadeAction = Parameters<World['action']>[2];

const SERVICES = ['accounts', 'traffic', 'agents'];

/** The error of a call that must fail. */
export const refusal = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: ApiError) => error,
  );

/** A platform that can run agents, with a model provider and an API in the outside world. */
export class TaskWorld {
  private constructor(
    readonly platform: Platform,
    readonly provider: ModelProvider,
    readonly target: HttpTarget,
  ) {}

  /** On the shared platform, with further services if named. */
  static start(...further: string[]): Promise<TaskWorld> {
    return TaskWorld.on(Platform.shared([...SERVICES, ...further]));
  }

  /** On a separate platform: for other settings, or when it matters which processes of a service have died lately. */
  static apart(env: Record<string, string> = {}, ...further: string[]): Promise<TaskWorld> {
    const allowed = { EGRESS_ALLOW: '127.0.0.1/32' };
    return TaskWorld.on(Platform.start({ services: [...SERVICES, ...further], env: { ...allowed, ...env } }));
  }

  /** On a separate platform whose agents are divided into an API and a worker, with a gateway. */
  static divided(): Promise<TaskWorld> {
    const services = ['accounts', 'traffic', 'agents-api', 'agents-worker', 'gateway'];
    return TaskWorld.on(Platform.start({ services, env: { EGRESS_ALLOW: '127.0.0.1/32', WORK_LEASE_SECONDS: '10' } }));
  }

  /** On a separate platform whose Postgres counts statements. */
  static counted(...further: string[]): Promise<TaskWorld> {
    const env = { EGRESS_ALLOW: '127.0.0.1/32' };
    return TaskWorld.on(Platform.start({ services: [...SERVICES, ...further], env, postgres: COUNTING }));
  }

  private static async on(starting: Promise<Platform>): Promise<TaskWorld> {
    const [provider, target] = await Promise.all([startModelProvider(), startHttpTarget()]);
    return new TaskWorld(await starting, provider, target);
  }

  /** Forgets the calls that models and targets have received; targets reply with an empty object again. */
  reset(): void {
    this.provider.calls.length = 0;
    this.target.calls.length = 0;
    this.target.answerWith(() => ({}));
  }

  /** Bodies of the calls that the models have received. */
  bodies(): { messages: unknown[]; [key: string]: unknown }[] {
    return this.provider.calls.map(({ body }) => body as { messages: unknown[] });
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    await Promise.all([this.provider.close(), this.target.close()]);
  }

  /** A company whose model `m` is played by the provider. */
  async company(): Promise<TaskCompany> {
    const world = await World.make(this.platform);
    const provider = await this.platform.bus.call(
      providers.endpoints.createProvider,
      {
        provider_name: 'outside',
        kind: 'openai_compatible',
        base_url: this.provider.url,
        api_key: 'sk-anything',
        default_headers: {},
        timeout_ms: 600_000,
        status: 'ENABLED',
      },
      world.caller(),
    );
    await this.platform.bus.call(
      models.endpoints.createModel,
      {
        model_name: 'm',
        provider_id: provider.id,
        supports_tools: true,
        supports_json_schema: true,
        trainable: false,
        status: 'ENABLED',
        input_price_per_mtok: 1,
        output_price_per_mtok: 1,
      },
      world.caller(),
    );
    return new TaskCompany(this, world);
  }
}

/** A company with short ways to invoke its agents. */
export class TaskCompany {
  constructor(
    readonly outside: TaskWorld,
    readonly world: World,
  ) {}

  /** An agent on model `m` with one action that calls the target. */
  async agent(change: Made = {}, config: Record<string, unknown> = {}, action: MadeAction = {}): Promise<number> {
    const agent = await this.world.agent({ model: 'm', system_prompt: 'You help.', ...change });
    await this.action(agent.id, 'look up', config, action);
    return agent.id;
  }

  action(
    agentId: number,
    name: string,
    config: Record<string, unknown> = {},
    action: MadeAction = {},
  ): Promise<AgentAction> {
    const action_config = {
      endpoint: `${this.outside.target.url}/items/{id}`,
      parameters: { id: { type: 'string', required: true } },
      ...config,
    };
    return this.world.action(agentId, name, { action_config, ...action });
  }

  invoke(agentId: number, change: Partial<Invoke> = {}, caller = this.world.caller()): Promise<Invocation> {
    const body: Invoke = {
      agent_id: agentId,
      message: 'hello',
      secrets: {},
      wait: true,
      stream: false,
      state: {},
      metadata: {},
      ...change,
    };
    return this.outside.platform.bus.call(tasks.endpoints.invokeAgent, body, caller);
  }

  task(agentId: number, taskId: string, wait_seconds = 0): Promise<Task> {
    const input = { agent_id: agentId, task_id: taskId, wait_seconds };
    return this.outside.platform.bus.call(tasks.endpoints.getTask, input, this.world.caller());
  }

  timeline(agentId: number, taskId: string): Promise<Page<TimelineEvent>> {
    const input = { agent_id: agentId, task_id: taskId, ...PAGE, limit: 100 };
    return this.outside.platform.bus.call(tasks.endpoints.listTaskTimeline, input, this.world.caller());
  }

  /** A task as its row, whichever service answers calls at the moment. */
  async row(taskId: string): Promise<Record<string, unknown>> {
    const { rows } = await this.outside.platform.sql.query('SELECT * FROM agents.tasks WHERE id = $1', [taskId]);
    return rows[0] as Record<string, unknown>;
  }

  /** Waits until the row of a task says so. */
  ended(taskId: string, limitMs = 30_000): Promise<Record<string, unknown>> {
    const check = async () => {
      const row = await this.row(taskId);
      return row['completed_at'] === null ? undefined : row;
    };
    return eventually('the task ends', check, limitMs);
  }
}

/** A model that looks something up once and then answers with what it has read. */
export function lookUpOnce(provider: ModelProvider, given: Record<string, unknown> = { id: '7' }): void {
  provider.answerWith(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === 'tool'
      ? `read: ${String(last.content)}`
      : { toolCalls: [{ name: 'look_up', arguments: given }] };
  });
}
