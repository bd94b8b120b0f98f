import { Serves } from '@signalbox/bus';
import { agentLinks, type CallTo, type Handlers } from '@signalbox/contracts';
import { AgentReleases, AgentVersions } from '../versions/index.js';
import { Tasks } from '../tasks/index.js';
import { Agents } from '../drafts/index.js';

type C = typeof agentLinks;

@Serves(agentLinks)
export class AgentLinkHandlers implements Handlers<C> {
  constructor(
    private readonly agents: Agents,
    private readonly versions: AgentVersions,
    private readonly tasks: Tasks,
    private readonly releases: AgentReleases,
  ) {}

  async getStandingTarget({ input, caller }: CallTo<C, 'getStandingTarget'>) {
    const standing = await this.versions.resolveStanding(caller.companyId, input.agent_id);
    return { version: standing?.version ?? null, release: standing?.release ?? null };
  }

  async getTaskSystemPrompt({ input, caller }: CallTo<C, 'getTaskSystemPrompt'>) {
    return { system_prompt: await this.tasks.systemPromptOf(caller.companyId, input.task_id) };
  }

  listGatedReleases({ input, caller }: CallTo<C, 'listGatedReleases'>) {
    return this.releases.listGated(caller.companyId, input.test_set_id);
  }

  async findAgent({ input, caller }: CallTo<C, 'findAgent'>) {
    return {
      agent_id: await this.agents.findNamed(caller.companyId, input.agent_name, input.application_id ?? null),
    };
  }

  findWorkflowUses({ input, caller }: CallTo<C, 'findWorkflowUses'>) {
    return this.agents.withWorkflow(caller.companyId, input.workflow_id);
  }

  async countModelUses({ input, caller }: CallTo<C, 'countModelUses'>) {
    return { agents: await this.agents.countModelUses(caller.companyId, input.model_name) };
  }

  async unbindApplication({ input, caller }: CallTo<C, 'unbindApplication'>) {
    return { agents: await this.agents.unbind(caller, input.application_id) };
  }
}
