import type { Application, Signalbox, Task } from '@signalbox/sdk';
import { invokeOnce } from './invocation.js';
import { openAgent } from './order-desk.js';

const AGENT = 'Refund desk (demo)';
const ACTION = 'ask_the_manager';

/** The manager does not reply, so the approval stays open for the user to look at. */
export async function awaitApproval(api: Signalbox, home: Application, serviceUrl: string): Promise<Task> {
  const { agent } = await openAgent(api, home, AGENT, {
    description: 'Asks a person before it pays back',
    system_prompt: 'You pay back when the manager agrees.',
  });
  const { actions, id: agent_id } = await api.agents.get({ agent_id: agent.id });
  const known = actions.find(({ action_name }) => action_name === ACTION);
  const body = {
    action_name: ACTION,
    action_type: 'webhook' as const,
    description: 'Asks the manager, and waits for a yes or a no',
    is_default: true,
    action_config: {
      base_url: serviceUrl,
      endpoint: '/manager',
      mode: 'callback' as const,
      body: { reply_to: '{{callback_url}}' },
    },
  };
  if (known) await api.agents.updateAction({ action_id: known.id, ...body });
  else await api.agents.createAction({ agent_id, ...body });
  return invokeOnce(api, agent_id, 'WAITING_WEBHOOK', 'Refund A-1042');
}
