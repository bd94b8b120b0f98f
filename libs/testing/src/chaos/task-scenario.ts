import { actions, agents, applications } from '@signalbox/contracts';
import type { ModelScript } from '../fakes/model-provider.js';
import { invokeUntilAccepted } from './retried-calls.js';
import {
  runScenario,
  type Scenario,
  type ScenarioContext,
  type TaskChaos,
  type TaskChaosReport,
} from './scenario-run.js';
import { taskFaults } from './task-checks.js';

const toolThenAnswer: ModelScript = ({ messages, tools }) => {
  const offered = (tools as { function: { name: string } }[] | undefined)?.[0]?.function.name;
  if (offered && !messages.some(({ role }) => role === 'tool'))
    return { toolCalls: [{ name: offered, arguments: {} }] };
  return 'done';
};

async function agentWithTool({ fixtures, modelName, target }: ScenarioContext): Promise<unknown> {
  const application = await fixtures.call(applications.endpoints.createApplication, { application_name: 'Chaos' });
  const agent = await fixtures.call(agents.endpoints.createAgent, {
    application_id: application.id,
    agent_name: 'Survivor',
    model: modelName,
  });
  await fixtures.call(actions.endpoints.createAction, {
    agent_id: agent.id,
    action_name: 'look up',
    action_type: 'api',
    description: 'looks something up',
    action_config: { endpoint: `${target.url}/look-up` },
  });
  return agent.id;
}

const TASKS: Scenario = {
  model: toolThenAnswer,
  async prepare(context) {
    const agentId = await agentWithTool(context);
    const accepted = new Map<string, string>();
    return {
      start: async (at) => void accepted.set(`task-${at}`, await invokeUntilAccepted(context, agentId, at)),
      faults: () => taskFaults(context.platform.sql, context.companyId, accepted),
    };
  },
};

export const runTaskChaos = (chaos: TaskChaos): Promise<TaskChaosReport> => runScenario(chaos, TASKS);
