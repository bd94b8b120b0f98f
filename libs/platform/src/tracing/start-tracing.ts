import { diag, DiagLogLevel } from '@opentelemetry/api';
import type { Settings } from '../config.js';
import type { Logger } from '../log.js';
import { withTimeout } from '../waits/with-timeout.js';
import { setTracing, Tracing } from './tracing.js';

/** The exporter, the sampler and the batches read theirs themselves. */
export const TRACING_SETTINGS = [
  'OTEL_SDK_DISABLED',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_EXPORTER',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
] as const;

export type TracingSettings = Settings<(typeof TRACING_SETTINGS)[number]>;

/** A collector that is down must not delay the exit. */
const FLUSH_MS = 2000;

/** Nothing of the SDK is loaded unless tracing is on. */
export async function startTracing(service: string, settings: TracingSettings, logger: Logger): Promise<void> {
  if (!isOn(settings)) return;
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } =
    await import('@opentelemetry/resources');
  const named = resourceFromAttributes({
    'service.namespace': 'signalbox',
    'service.name': settings.OTEL_SERVICE_NAME || `signalbox-${service}`,
  });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(named),
    spanProcessors: [new BatchSpanProcessor(await exporterOf(settings))],
  });
  provider.register();
  const logProblem = (message: string): void => logger.warn({ cause: message }, 'spans could not be exported');
  const silent = (): void => undefined;
  diag.setLogger(
    { error: logProblem, warn: logProblem, info: silent, debug: silent, verbose: silent },
    DiagLogLevel.WARN,
  );
  // Spans that the collector does not accept in time are lost with the process.
  const flushed = () => withTimeout(provider.shutdown(), FLUSH_MS, () => undefined).catch(() => undefined);
  setTracing(new Tracing(provider.getTracer('signalbox'), flushed));
}

function isOn(settings: TracingSettings): boolean {
  if (settings.OTEL_SDK_DISABLED || settings.OTEL_TRACES_EXPORTER === 'none') return false;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = settings;
  return settings.OTEL_TRACES_EXPORTER === 'otlp' || base !== null || own !== null;
}

async function exporterOf(settings: TracingSettings) {
  const protocol = settings.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? settings.OTEL_EXPORTER_OTLP_PROTOCOL;
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}
