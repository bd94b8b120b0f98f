// Azure's client of inference with its own tracing, which follows the first GenAI conventions: messages are span events.
import { createRequire } from 'node:module';
import { AzureKeyCredential } from '@azure/core-auth';
import { createAzureSdkInstrumentation } from '@azure/opentelemetry-instrumentation-azure-sdk';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { provider } from './telemetry.mjs';

registerInstrumentations({ tracerProvider: provider, instrumentations: [createAzureSdkInstrumentation()] });
// The instrumentation changes what is required, not what is imported.
const { default: createClient } = createRequire(import.meta.url)('@azure-rest/ai-inference');
const { context } = await import('@opentelemetry/api');

const client = createClient(process.env.OPENAI_BASE_URL, new AzureKeyCredential(process.env.OPENAI_API_KEY), {
  allowInsecureConnection: true,
});
const tools = [
  {
    type: 'function',
    function: { name: 'look_up', parameters: { type: 'object', properties: { order: { type: 'string' } } } },
  },
];
const messages = [
  { role: 'system', content: 'You look orders up.' },
  { role: 'user', content: process.argv[2] },
];
const ask = async () => {
  const body = { model: process.env.MODEL, messages, tools };
  const response = await client
    .path('/chat/completions')
    .post({ body, tracingOptions: { tracingContext: context.active() } });
  return response.body.choices[0].message;
};
await provider.getTracer('program').startActiveSpan('order-agent', async (span) => {
  const first = await ask();
  messages.push(first, { role: 'tool', tool_call_id: first.tool_calls[0].id, content: '{"state":"sent"}' });
  console.log((await ask()).content);
  span.end();
});
await provider.shutdown();
