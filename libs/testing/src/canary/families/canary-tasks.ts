import { agentSessions, tasks } from '@signalbox/contracts';
import { eventually } from '../../platform/platform.js';
import { type CanaryCase, CASES, type CanaryContext, type CanaryTask, KILLED } from '../canary-cases.js';
import { receivedBy } from '../canary-target.js';
import type { CanaryAgent, CanaryAgents, Secrets } from './canary-agents.js';

const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];
const WORKERS = 6;

export class CanaryTasks {
  readonly endings: Record<string, string[]> = {};
  private readonly made = new Map<CanaryCase, Promise<CanaryAgent>>();

  constructor(
    private readonly context: CanaryContext,
    private readonly agents: CanaryAgents,
    private readonly secrets: (of: Pick<CanaryCase, 'expected'>) => Secrets,
  ) {}

  async run(): Promise<void> {
    const left = CASES.flatMap((each) => Array.from({ length: each.times }, () => each));
    const worker = async (): Promise<void> => {
      for (let next = left.pop(); next; next = left.pop()) await this.one(next);
    };
    await Promise.all(Array.from({ length: WORKERS }, worker));
  }

  async first(): Promise<{ agent: CanaryAgent; task: CanaryTask; secrets: () => Secrets } | null> {
    const [bearer] = CASES;
    if (!bearer) return null;
    const agent = await this.agentOf(bearer);
    const task = await bearer.run(this.context, agent, this.secrets(bearer));
    if (!task) return null;
    await this.endOf(task);
    return { agent, task, secrets: () => this.secrets(bearer) };
  }

  private async one(canaryCase: CanaryCase): Promise<void> {
    const agent = await this.agentOf(canaryCase);
    const task = await canaryCase.run(this.context, agent, this.secrets(canaryCase));
    this.record(canaryCase, task ? await this.endOf(task) : 'no task');
  }

  /** The invocations of a case share an agent and differ by their secrets. */
  private agentOf(canaryCase: CanaryCase): Promise<CanaryAgent> {
    let agent = this.made.get(canaryCase);
    if (!agent) this.made.set(canaryCase, (agent = this.agents.make(canaryCase)));
    return agent;
  }

  private record({ name }: CanaryCase, ending: string): void {
    this.endings[name] = [...(this.endings[name] ?? []), ending];
  }

  private async endOf({ agentId, taskId }: CanaryTask, limitMs = 60_000): Promise<string> {
    const ended = async (): Promise<string | null> => {
      const reply = await this.context.client.send(tasks.endpoints.getTask, {
        agent_id: agentId,
        task_id: taskId,
        wait_seconds: 1,
      });
      const { data } = JSON.parse(reply.text) as { data?: { status: string; error_code: string | null } };
      return data && ENDED.includes(data.status) ? [data.status, data.error_code].filter(Boolean).join(' ') : null;
    };
    const how = await eventually(`task ${taskId} ends`, ended, limitMs);
    const path = { agent_id: agentId, task_id: taskId };
    await this.context.client.send(tasks.endpoints.streamTask, path);
    await this.context.client.send(tasks.endpoints.listTaskTimeline, { ...path, limit: 100 });
    await this.context.client.send(tasks.endpoints.listTasks, { agent_id: agentId, include_body: true });
    await this.context.client.send(agentSessions.endpoints.listAgentSessions, { agent_id: agentId });
    return how;
  }

  async runUntilKilled(): Promise<void> {
    const canaryCase = await Promise.all(
      Array.from({ length: KILLED.times }, async () => {
        const secrets = this.secrets(KILLED);
        const task = await KILLED.run(this.context, await this.agentOf(KILLED), secrets);
        const received = () => this.context.target.calls.some((call) => receivedBy(call).includes(secrets.TOKEN));
        await eventually('the target receives the secrets', received);
        return task;
      }),
    );
    const agents = this.context.platform.service('agents');
    await agents.kill('SIGKILL');
    await agents.start();
    for (const task of canaryCase) this.record(KILLED, task ? await this.endOf(task) : 'no task');
  }
}
