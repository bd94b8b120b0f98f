import { Serves } from '@signalbox/bus';
import { type CallTo, externalTasks, type Handlers } from '@signalbox/contracts';
import { ExternalAgents } from './external-agents.js';
import { ExternalPrograms } from './external-programs.js';
import { ExternalTasks } from './external-tasks.repository.js';

type C = typeof externalTasks;

/** Tasks of agents that run elsewhere, as their traces tell. */
@Serves(externalTasks)
export class ExternalTaskHandlers implements Handlers<C> {
  constructor(
    private readonly agents: ExternalAgents,
    private readonly tasks: ExternalTasks,
    private readonly programs: ExternalPrograms,
  ) {}

  callProgram({ input, caller }: CallTo<C, 'callProgram'>) {
    return this.programs.call(caller.companyId, input);
  }

  async recordTrace({ input, caller }: CallTo<C, 'recordTrace'>) {
    const ids = new Map<string, number>();
    for (const name of new Set(input.tasks.map(({ agent_name }) => agent_name)))
      ids.set(name, await this.agents.idOf(caller.companyId, name, input.application));
    return this.tasks.record(caller, input, ids);
  }
}
