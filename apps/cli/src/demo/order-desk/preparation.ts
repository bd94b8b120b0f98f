import type { DemoContext } from '../context.js';
import { connectActions, formerPort, openOrderDesk, publish, RELEASE, release } from './order-desk.js';
import type { OrderService } from './order-service.js';
import { openReturnsDesk, routeMessages } from './routing.js';
import { watchAgent } from './watching.js';

export type PreparedDesk = Awaited<ReturnType<typeof prepareAgent>>;

export async function prepareAgent({ api, step }: DemoContext, start: (port: number | null) => Promise<OrderService>) {
  const desk = await step(
    'An agent for customers who ask about orders',
    () => openOrderDesk(api),
    ({ application, agent, reused }) =>
      `${reused ? 'found' : 'created'} agent ${agent.id} in "${application.application_name}"`,
  );
  const service = await step(
    'A system the agent can call, run by this demo',
    () => start(formerPort(desk)),
    ({ url }) => url,
  );
  const actions = await step(
    'Three actions: one calls that system, one waits for its callback, one calls a model',
    () => connectActions(api, desk, service.url),
    (created) => Object.keys(created).join(', '),
  );
  const returns = await step(
    'A sub-agent that handles returns',
    () => openReturnsDesk(api, desk),
    ({ id }) => `agent ${id}`,
  );
  await step(
    'Two rules that select the agent',
    () => routeMessages(api, desk, actions, returns),
    () => '"return" selects the sub-agent, "courier" selects the courier',
  );
  const { version } = await step(
    'Publish the draft as a version that never changes',
    () => publish(api, desk.agent.id),
    (published) => `${published.version}${published.fresh ? '' : ', which equals the draft'}`,
  );
  await step(
    `Point the release "${RELEASE}" at it`,
    () => release(api, desk.agent.id, version),
    () => `callers of "${RELEASE}" now get ${version}`,
  );
  await step(
    'Try one action alone',
    () =>
      api.agents.testAction({
        action_id: actions.say_it_kindly.id,
        arguments: { input: 'Thanks' },
      }),
    ({ status, output }) => `${status}: ${JSON.stringify(output)}`,
  );
  const monitor = await step(
    'A monitor that finds answers which only echo the question',
    () => watchAgent(api, desk.agent.id),
    ({ id, status }) => `monitor ${id} is ${status} and judges every task of the agent`,
  );
  return { application: desk.application, agentId: desk.agent.id, monitorId: monitor.id, service, version };
}
