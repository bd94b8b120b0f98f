import type { Agent, Application, Workflow } from '@signalbox/contracts';
import type { ChatSetup } from '../chat/setup.js';
import { apiOf } from './api.js';
import type { Driven } from './setup.js';

/** A workflow whose result is what the model answers. */
const SCRIPT = `async function execute(ctx) {
  const answer = await ctx.chat.completions.create({
    model: 'bench-model', messages: ctx.messages, temperature: 0.2, max_tokens: 300,
  });
  return answer.choices[0].message.content;
}
`;

/** One consumer of each kind; each asks the same model once for an item. */
export async function consumersOf(chat: ChatSetup): Promise<Record<'model' | 'workflow' | 'agent', Driven>> {
  const application = await apiOf<Application>(chat, 'POST', '/applications', { application_name: 'Consumers' });
  const workflow = await apiOf<Workflow>(chat, 'POST', '/workflows', {
    workflow_ref_name: 'answer',
    language: 'javascript',
    script: SCRIPT,
  });
  const agent = await apiOf<Agent>(chat, 'POST', '/agents', {
    application_id: application.id,
    agent_name: 'Answer',
    model: 'bench-model',
  });
  return {
    model: {
      consumer_kind: 'MODEL',
      consumer_config: { model: 'bench-model', temperature: 0.2, max_tokens: 300 },
    },
    workflow: { consumer_kind: 'WORKFLOW', consumer_config: { workflow_id: workflow.id } },
    agent: { consumer_kind: 'AGENT', consumer_config: { agent_id: agent.id } },
  };
}
