import { Serves } from '@signalbox/bus';
import { type CallTo, type Caller, type ExternalTrace, externalTasks, type Handlers } from '@signalbox/contracts';
import { ExternalAgents } from './external-agents.js';
import { ExternalPrograms } from './external-programs.js';
import type { ReportedTask } from './external-task-rows.js';
import { ExternalTasks } from './external-tasks.repository.js';

type C = typeof externalTasks;

@Serves(externalTasks)
export class ExternalTaskHandlers implements Handlers<C> {
  constructor(
    private readonly agents: ExternalAgents,
    private readonly tasks: ExternalTasks,
    private readonly programs: ExternalPrograms,
  ) {}

  callProgram({ input, caller, signal }: CallTo<C, 'callProgram'>) {
    return this.programs.call(caller.companyId, input, signal);
  }

  recordTraces({ input, caller }: CallTo<C, 'recordTraces'>) {
    return this.record(caller, input.traces);
  }

  recordTrace({ input, caller }: CallTo<C, 'recordTrace'>) {
    return this.record(caller, [input]);
  }

  private async record(caller: Caller, traces: readonly ExternalTrace[]) {
    const reported = await this.withAgents(caller.companyId, traces);
    await this.tasks.record(caller, reported);
    return { tasks: reported.map(({ task: { id }, agentId: agent_id }) => ({ id, agent_id })) };
  }

  /** Each agent is looked up once for all traces of its application. */
  private async withAgents(companyId: number, traces: readonly ExternalTrace[]): Promise<ReportedTask[]> {
    const ids = new Map<string, number>();
    const reported: ReportedTask[] = [];
    for (const { tasks, ...trace } of traces)
      for (const task of tasks) {
        const key = `${trace.application.id} ${task.agent_name}`;
        const agentId = ids.get(key) ?? (await this.agents.idOf(companyId, task.agent_name, trace.application));
        ids.set(key, agentId);
        reported.push({ trace, task, agentId });
      }
    return reported;
  }
}
