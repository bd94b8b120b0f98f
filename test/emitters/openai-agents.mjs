// The OpenAI Agents SDK, whose own traces OpenInference's processor sends as spans: an agent that hands over to another one,
// which uses a tool.
import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents';
import * as agents from '@openai/agents';
import { z } from 'zod';
import { provider } from './telemetry.mjs';

new OpenAIAgentsInstrumentation({ tracerProvider: provider }).manuallyInstrument(agents);
agents.setOpenAIAPI('chat_completions');

const model = process.env.MODEL;
const lookUp = agents.tool({
  name: 'look_up',
  description: 'Looks an order up.',
  parameters: z.object({ order: z.string() }),
  execute: () => ({ state: 'sent' }),
});
const courier = new agents.Agent({ name: 'courier', model, instructions: 'You look orders up.', tools: [lookUp] });
const triage = agents.Agent.create({ name: 'triage', model, instructions: 'You hand over.', handoffs: [courier] });
const { finalOutput } = await agents.withTrace('order desk', () => agents.run(triage, process.argv[2]), {
  groupId: 's-1',
});
console.log(finalOutput);
await provider.shutdown();
