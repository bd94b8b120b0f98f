/** Node.js; endpoint and names come from environment variables. */
const TRACER = `const provider = new NodeTracerProvider({
  resource: detectResources({ detectors: [envDetector] }),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();`;
const TRACER_PACKAGES =
  '@opentelemetry/exporter-trace-otlp-proto @opentelemetry/resources @opentelemetry/sdk-trace-node';
const TRACER_IMPORTS = `import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';`;
const END = `// When the program ends: what is not sent yet.
await provider.shutdown();`;

/** By library, in addition to the exporter's variables; JavaScript runs as it is. */
export const TRACE_PROGRAMS = {
  'OpenTelemetry SDK': null,
  'Vercel AI SDK': `// npm install ai @ai-sdk/openai-compatible @ai-sdk/otel ${TRACER_PACKAGES}
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenTelemetry } from '@ai-sdk/otel';
${TRACER_IMPORTS}
import { generateText, registerTelemetry } from 'ai';

${TRACER}
// AI SDK 7. Before it, each call has experimental_telemetry: { isEnabled: true, functionId: 'my-agent' } in place of both.
registerTelemetry(new OpenTelemetry());

const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = process.env;
const models = createOpenAICompatible({ name: 'models', baseURL, apiKey });
const { text } = await generateText({
  model: models('gpt-5-mini'),
  prompt: 'hello',
  telemetry: { functionId: 'my-agent' },
});
console.log(text);

${END}`,
  'OpenAI Agents': `// npm install @openai/agents @arizeai/openinference-instrumentation-openai-agents ${TRACER_PACKAGES}
import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents';
import * as agents from '@openai/agents';
${TRACER_IMPORTS}

${TRACER}
new OpenAIAgentsInstrumentation({ tracerProvider: provider }).manuallyInstrument(agents);

// Any server that speaks chat completions: OPENAI_BASE_URL says which.
agents.setOpenAIAPI('chat_completions');
const agent = new agents.Agent({ name: 'my-agent', model: 'gpt-5-mini', instructions: 'You help.' });
const { finalOutput } = await agents.run(agent, 'hello');
console.log(finalOutput);

${END}`,
  'OpenAI Agents (Python)': `# pip install openai-agents openinference-instrumentation-openai-agents opentelemetry-exporter-otlp-proto-http
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)`,
} as const;

export type TraceProgram = keyof typeof TRACE_PROGRAMS;
