import { models, providers } from '@signalbox/contracts';
import { createClient } from '@signalbox/sdk';
import type { Platform } from '@signalbox/testing';
import type { Outside } from './outside.js';

/** What the calls of customers name. */
export interface Fixtures {
  agentId: number;
  workflowId: number;
  model: string;
}

const MODEL_TIMEOUT_MS = 120_000;

/** A run asks the model for its answer and has one effect, both through calls of the host. */
const script = (url: string): string => `async function execute(ctx) {
  const { name } = ctx.input;
  const key = await ctx.step('key', () => name + ' ' + Math.random());
  const messages = [{ role: 'user', content: name }];
  const completion = await ctx.chat.completions.create({ model: 'm', messages });
  await ctx.step('effect', async () => {
    await ctx.http.fetch('${url}/effect', { method: 'POST', headers: { 'idempotency-key': key }, body: { name } });
    return true;
  });
  return { said: completion.choices[0].message.content };
}
`;

/** A model, an agent with an action that has an effect, and a workflow. */
export async function makeFixtures(
  platform: Platform,
  { companyId, key }: { companyId: number; key: string },
  { provider, target }: Outside,
): Promise<Fixtures> {
  const caller = platform.caller(companyId, { deadline: Date.now() + 60_000 });
  const { id: provider_id } = await platform.bus.call(
    providers.endpoints.createProvider,
    {
      provider_name: 'outside',
      kind: 'openai_compatible',
      base_url: provider.url,
      api_key: 'sk-anything',
      default_headers: {},
      timeout_ms: MODEL_TIMEOUT_MS,
      status: 'ENABLED',
    },
    caller,
  );
  const able = { supports_tools: true, supports_json_schema: true, trainable: false, status: 'ENABLED' } as const;
  await platform.bus.call(models.endpoints.createModel, { model_name: 'm', provider_id, ...able }, caller);
  const client = createClient({ apiKey: key, baseUrl: platform.baseUrl });
  const { id: application_id } = await client.applications.create({ application_name: 'Rolling' });
  const made = { application_id, agent_name: 'Rolling', model: 'm', system_prompt: 'You help.' };
  const { id: agentId } = await client.agents.create(made);
  await client.agents.createAction({
    agent_id: agentId,
    action_name: 'book',
    action_type: 'api',
    description: 'books an item',
    action_config: {
      endpoint: `${target.url}/effect`,
      method: 'POST',
      body: { name: '{name}' },
      parameters: { name: { type: 'string', required: true } },
    },
  });
  const { id: workflowId } = await client.workflows.create({
    workflow_ref_name: 'rolling',
    script: script(target.url),
    timeout_seconds: 600,
  });
  return { agentId, workflowId, model: 'm' };
}
