// An agent of the OpenAI Agents SDK behind an address. It knows nothing of the platform: the variables of OpenTelemetry say
// where its traces go, and a call that carries a `traceparent` is answered within that trace.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents';
import * as agents from '@openai/agents';
import { context, propagation } from '@opentelemetry/api';
import { z } from 'zod';
import { provider } from './telemetry.mjs';

new OpenAIAgentsInstrumentation({ tracerProvider: provider }).manuallyInstrument(agents);
agents.setOpenAIAPI('chat_completions');

const lookUp = agents.tool({
  name: 'look_up',
  description: 'Looks an order up.',
  parameters: z.object({ order: z.string() }),
  execute: ({ order }) => ({ order, state: Number(order) % 2 === 0 ? 'delivered' : 'on its way' }),
});

const CAREFUL = 'Look every order up before you answer.';
/** What each version is; the newer one was meant to be cheaper. */
const VERSIONS = {
  '1.0.0': { instructions: CAREFUL, tools: [lookUp] },
  '1.1.0': { instructions: 'Answer at once.', tools: [] },
  '1.1.1': { instructions: `${CAREFUL} Be brief.`, tools: [lookUp] },
};

const agent = new agents.Agent({
  name: 'Order clerk',
  model: 'clerk-model',
  ...VERSIONS[process.env.VERSION ?? '1.0.0'],
});

async function answer(request) {
  const { messages } = await json(request);
  const within = propagation.extract(context.active(), request.headers);
  const { finalOutput } = await context.with(within, () => agents.run(agent, messages.at(-1).content));
  return { answer: { text: finalOutput } };
}

const server = createServer((request, response) => {
  const reply = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  answer(request).then(
    (body) => reply(200, body),
    (error) => reply(500, { error: error.message }),
  );
});
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}/answer`),
);
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void provider.shutdown();
});
