import { actions, agents, applications, subAgents } from '@signalbox/contracts';
import type { ModelScript } from '../../fakes/model-provider.js';
import { numberIn } from './callback-sender.js';
import type { ScenarioContext } from '../scenario-run.js';

/** Parents with an action, a sub-agent that has an action, and an action with a callback. */
export interface Families {
  open: unknown;
  secret: unknown;
}

const ORDERS = [
  ['look_up', 'Child_desk', 'order'],
  ['order', 'look_up', 'Child_desk'],
  ['Child_desk', 'order', 'look_up'],
];

const atOnce = (task: number): boolean => task % 3 === 1;

export const modelCallsOf = (task: number): number => (atOnce(task) ? 2 : 4) + 2;

export const familyModel: ModelScript = ({ messages }) => {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const text = String(messages[asked]?.content);
  const done = messages.slice(asked).filter(({ role }) => role === 'tool').length;
  const child = String(messages[0]?.content).startsWith('CHILD');
  const wanted = child ? ['note_down'] : (ORDERS[numberIn(text) % ORDERS.length] ?? []);
  const left = !child && atOnce(numberIn(text)) ? (done === 0 ? wanted : []) : wanted.slice(done, done + 1);
  if (left.length === 0) return `done with ${text}`;
  return {
    toolCalls: left.map((name) => ({ name, arguments: name === 'Child_desk' ? { message: text } : { id: text } })),
  };
};

export async function makeFamilies(context: ScenarioContext): Promise<Families> {
  return { open: await family(context, ''), secret: await family(context, '/secret') };
}

async function family({ fixtures, modelName, target }: ScenarioContext, path: string): Promise<unknown> {
  const home = await fixtures.call(applications.endpoints.createApplication, { application_name: `Families${path}` });
  const application_id = home.id;
  const auth = path === '' ? {} : { auth: { type: 'bearer', token: '{{secrets.TOKEN}}' } };
  const agent = async (agent_name: string, system_prompt: string) =>
    (await fixtures.call(agents.endpoints.createAgent, { application_id, agent_name, system_prompt, model: modelName }))
      .id;
  const action = (agent_id: unknown, action_name: string, change: object) =>
    fixtures.call(actions.endpoints.createAction, {
      agent_id,
      action_name,
      action_type: 'api',
      description: 'does it',
      ...change,
    });
  const posting = (what: string) => ({
    endpoint: `${target.url}${path}/${what}`,
    method: 'POST',
    parameters: { id: { type: 'string', required: true } },
    ...auth,
  });
  const parent = await agent('Front desk', 'PARENT');
  const child = await agent('Child desk', 'CHILD');
  await action(child, 'note down', { action_config: posting('note') });
  await action(parent, 'look up', { action_config: posting('look-up') });
  const body = { id: '{id}', reply_to: '{{callback_url}}' };
  await action(parent, 'order', {
    action_type: 'webhook',
    action_config: { ...posting('order'), mode: 'callback', ttl_seconds: 900, body },
  });
  await fixtures.call(subAgents.endpoints.addSubAgent, {
    agent_id: parent,
    child_agent_id: child,
    action_result_type: 'gather_info',
  });
  return parent;
}
