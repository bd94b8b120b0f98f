import type { DemoContext } from '../context.js';
import { runWorkflow } from './delivery-workflow.js';
import type { PreparedDesk } from './preparation.js';
import { awaitApproval } from './refund-desk.js';
import { offerTools } from './tools.js';

export async function showBuilding({ api, step }: DemoContext, { application, service }: PreparedDesk) {
  const waiting = await step(
    'A refund that waits for the manager',
    () => awaitApproval(api, application, service.url),
    ({ id, status }) => `task ${id} is ${status}`,
  );
  const server = await step(
    'A server of the Model Context Protocol, whose tools its agent gets',
    () => offerTools(api, service.url, waiting.agent_id),
    ({ id, tools }) => `MCP server ${id} has ${tools.map(({ name }) => name).join(' and ')}`,
  );
  const [completed, failed] = await step(
    'A workflow, run with an input that it understands and one that it does not',
    () => runWorkflow(api, application),
    (runs) => runs.map(({ id, status }) => `run ${id} is ${status}`).join(', '),
  );
  return (
    waiting.status === 'WAITING_WEBHOOK' &&
    server.tools.length > 0 &&
    completed.status === 'COMPLETED' &&
    failed.status === 'FAILED'
  );
}
