// The Vercel AI SDK with its integration of OpenTelemetry: by default its spans of the GenAI conventions, with LEGACY=1 those
// of `experimental_telemetry` of its former releases.
import { LegacyOpenTelemetry, OpenTelemetry } from '@ai-sdk/otel';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, registerTelemetry, tool } from 'ai';
import { z } from 'zod';
import { provider } from './telemetry.mjs';

registerTelemetry(process.env.LEGACY === '1' ? new LegacyOpenTelemetry() : new OpenTelemetry());
const gateway = createOpenAICompatible({
  name: 'gateway',
  baseURL: process.env.OPENAI_BASE_URL,
  apiKey: process.env.OPENAI_API_KEY,
});
const { text } = await generateText({
  model: gateway(process.env.MODEL),
  system: 'You look orders up.',
  prompt: process.argv[2],
  stopWhen: isStepCount(4),
  tools: {
    look_up: tool({
      description: 'Looks an order up.',
      inputSchema: z.object({ order: z.string() }),
      execute: () => ({ state: 'sent' }),
    }),
  },
  telemetry: { functionId: 'order-agent', isEnabled: true },
});
console.log(text);
await provider.shutdown();
