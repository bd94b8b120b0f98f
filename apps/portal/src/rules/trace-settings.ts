/** Exporters append `/v1/traces`. */
export const traceAddress = (origin: string): string => `${origin}/otel`;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const encoded = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27');

export function traceSettings(
  { agent_name, application_name }: { agent_name: string; application_name: string | null },
  origin: string,
  key = 'svk_…',
): string {
  const attributes = {
    ...(application_name === null ? {} : { 'service.namespace': application_name }),
    'service.version': '1.0.0',
    'deployment.environment.name': 'production',
  };
  const list = Object.entries(attributes).map(([name, value]) => `${name}=${encoded(value)}`);
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: traceAddress(origin),
    OTEL_EXPORTER_OTLP_HEADERS: `x-service-api-key=${key}`,
    OTEL_SERVICE_NAME: agent_name,
    OTEL_RESOURCE_ATTRIBUTES: list.join(','),
  };
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quoted(value)}`)
    .join('\n');
}
