/** What a program that is traced needs besides the variables of the exporter, by its library. */
export const TRACE_PROGRAMS = {
  'OpenTelemetry SDK': null,
  'Vercel AI SDK': `import { NodeSDK } from '@opentelemetry/sdk-node';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';

new NodeSDK({ traceExporter: new OTLPTraceExporter() }).start();

await generateText({ model, prompt, experimental_telemetry: { isEnabled: true } });`,
  'OpenAI Agents': `# pip install openinference-instrumentation-openai-agents opentelemetry-exporter-otlp-proto-http
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)`,
} as const;

export type TraceProgram = keyof typeof TRACE_PROGRAMS;
