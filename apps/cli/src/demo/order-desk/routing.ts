import type { Agent, Signalbox } from '@signalbox/sdk';
import { type Actions, openAgent, type OrderDesk, publish } from './order-desk.js';

const RETURNS = 'Returns desk agent';

export async function openReturnsDesk(api: Signalbox, { application, agent }: OrderDesk): Promise<Agent> {
  const { agent: returns } = await openAgent(api, application, RETURNS, {
    description: 'Takes goods back',
    system_prompt: 'Explain in one sentence how to send the goods back.',
  });
  const links = await api.agents.listSubAgents({ agent_id: agent.id, limit: 100 }).all();
  if (!links.some(({ child_agent_id }) => child_agent_id === returns.id))
    await api.agents.addSubAgent({
      agent_id: agent.id,
      child_agent_id: returns.id,
      action_result_type: 'complete_task',
    });
  // A published agent may refer only to published agents.
  await publish(api, returns.id);
  return returns;
}

const contains = (word: string) => [
  { target_type: 'message' as const, operator: 'contains' as const, value: word, enabled: true },
];

/** Two rules select the agent before any model is called; other messages go to the agent itself. */
export async function routeMessages(api: Signalbox, desk: OrderDesk, actions: Actions, returns: Agent): Promise<void> {
  const { id: agent_id } = desk.agent;
  const { rules } = await api.agents.getRouting({ agent_id });
  const wanted = [
    { label: 'returns', conditions: contains('return'), route: { type: 'agent' as const, agent_id: returns.id } },
    {
      label: 'courier',
      conditions: contains('courier'),
      route: { type: 'action' as const, action_id: actions.book_courier.id },
    },
  ];
  for (const rule of wanted)
    if (!rules.some(({ label }) => label === rule.label)) await api.agents.createRoutingRule({ agent_id, ...rule });
}
