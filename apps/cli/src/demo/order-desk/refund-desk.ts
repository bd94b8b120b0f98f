import type { Application, Signalbox, Task } from '@signalbox/sdk';
import { openAgent } from './order-desk.js';

const AGENT = 'Refund desk (demo)';
const ACTION = 'ask_the_manager';

/** A refund that waits for the manager, who does not answer: an approval to look at. */
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
  const { data: waiting } = await api.agents.listAllTasks({ agent_id, status: ['WAITING_WEBHOOK'], limit: 1 });
  const [first] = waiting;
  const task_id = first?.id ?? (await api.agents.invoke({ agent_id, message: 'Refund A-1042', wait: false })).task_id;
  for (;;) {
    const task = await api.agents.getTask({ agent_id, task_id });
    if (task.status !== 'QUEUED' && task.status !== 'RUNNING') return task;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
