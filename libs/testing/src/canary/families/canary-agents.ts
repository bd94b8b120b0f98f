import { actions, agents, applications, models, providers, subAgents } from '@signalbox/contracts';
import type { ConformanceFixtures } from '../../conformance/fixtures.js';
import type { HttpTarget } from '../../fakes/http-target.js';
import type { ModelProvider, ModelScript } from '../../fakes/model-provider.js';

export const SECRET_NAMES = ['TOKEN', 'DIRECT', 'IN_URL', 'IN_JSON'] as const;
export type Secrets = Record<(typeof SECRET_NAMES)[number], string>;

export interface CanaryAgent {
  agentId: unknown;
  actionId: unknown;
}

const AUTHS = {
  bearer: { type: 'bearer', token: '{{secrets.TOKEN}}' },
  api_key: { type: 'api_key', header: 'x-token', token: '{{secrets.TOKEN}}' },
  basic: { type: 'basic', username: 'canary', password: '{{secrets.TOKEN}}' },
};

const HEADERS = {
  'x-direct': '{{secrets.DIRECT}}',
  'x-in-url': 'https://elsewhere.example/?token={{secrets.IN_URL}}&more=1',
  'x-in-json': '{"token":"{{secrets.IN_JSON}}"}',
};

export interface Kind {
  path: string;
  auth: keyof typeof AUTHS;
  config?: object;
  action?: object;
  family?: true;
}

export const canaryModel: ModelScript = ({ messages, tools }) => {
  const last = messages.at(-1);
  if (last?.role === 'tool') return `the result is ${String(last.content)}`;
  const name = (tools as { function: { name: string } }[] | undefined)?.[0]?.function.name ?? '';
  return { toolCalls: [{ name, arguments: name === 'Child_desk' ? { message: 'go' } : { id: '1' } }] };
};

export class CanaryAgents {
  private readonly model: Promise<unknown>;

  constructor(
    private readonly fixtures: ConformanceFixtures,
    private readonly target: HttpTarget,
    provider: ModelProvider,
  ) {
    this.model = this.playedBy(provider);
  }

  async make(kind: Kind): Promise<CanaryAgent> {
    const home = await this.fixtures.call(applications.endpoints.createApplication, {
      application_name: this.fixtures.fresh('CanaryContext'),
    });
    const owner = await this.agent(home.id, 'Child desk');
    const actionId = await this.action(owner, kind);
    if (!kind.family) return { agentId: owner, actionId };
    const agentId = await this.agent(home.id, 'Front desk');
    await this.fixtures.call(subAgents.endpoints.addSubAgent, {
      agent_id: agentId,
      child_agent_id: owner,
      action_result_type: 'gather_info',
    });
    return { agentId, actionId };
  }

  private async playedBy({ url }: ModelProvider): Promise<unknown> {
    const provider = await this.fixtures.call(providers.endpoints.createProvider, {
      provider_name: 'played',
      kind: 'openai_compatible',
      base_url: url,
      api_key: 'played',
    });
    const made = { model_name: 'played', provider_id: provider.id };
    return (await this.fixtures.call(models.endpoints.createModel, made)).model_name;
  }

  private async agent(application_id: unknown, agent_name: string): Promise<unknown> {
    const body = { application_id, agent_name, model: await this.model };
    return (await this.fixtures.call(agents.endpoints.createAgent, body)).id;
  }

  private async action(agent_id: unknown, { path, auth, config, action }: Kind): Promise<unknown> {
    const action_config = {
      endpoint: `${this.target.url}${path}`,
      method: 'POST',
      parameters: { id: { type: 'string', required: true } },
      auth: AUTHS[auth],
      headers: HEADERS,
      ...config,
    };
    const body = {
      agent_id,
      action_name: 'show',
      action_type: 'api',
      description: 'sends its secrets',
      action_config,
      ...action,
    };
    return (await this.fixtures.call(actions.endpoints.createAction, body)).id;
  }
}
