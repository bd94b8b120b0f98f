import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { apiKeys } from '@signalbox/contracts';
import type { Platform } from '@signalbox/testing';

type Json = Record<string, unknown>;

/** A span in OTLP's JSON, by what differs. */
export type SentSpan = Json & { traceId: string; spanId: string };

export const traceId = (): string => randomBytes(16).toString('hex');
export const spanId = (): string => randomBytes(8).toString('hex');

const valueOf = (value: unknown): Json => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueOf) } };
  return { kvlistValue: { values: attributes(value as Json) } };
};

/** Attributes in OTLP's JSON. */
export const attributes = (values: Json): Json[] =>
  Object.entries(values).map(([key, value]) => ({ key, value: valueOf(value) }));

/** A span that ended just now. */
export function span(values: Json & { traceId: string }): SentSpan {
  const { attributes: given = {}, ...more } = values;
  const end = Date.now();
  return {
    spanId: spanId(),
    name: 'work',
    kind: 1,
    startTimeUnixNano: `${end - 100}000000`,
    endTimeUnixNano: `${end}000000`,
    attributes: attributes(given as Json),
    ...more,
  };
}

/** An export of spans of one service. */
export const exportOf = (spans: readonly unknown[], resource: Json = { 'service.name': 'shop' }): Json => ({
  resourceSpans: [{ resource: { attributes: attributes(resource) }, scopeSpans: [{ scope: { name: 't' }, spans }] }],
});

/** A program that sends what it does. */
export class Exporter {
  constructor(
    readonly baseUrl: string,
    readonly key: string,
  ) {}

  /** An exporter with a key of a company that may do nothing else. */
  static async of(platform: Platform, companyId: number): Promise<Exporter> {
    const input = { name: 'exporter', scopes: ['ingest' as const] };
    const { key } = await platform.bus.call(apiKeys.endpoints.createApiKey, input, platform.caller(companyId));
    return new Exporter(platform.baseUrl, key ?? '');
  }

  async send(
    body: string | Buffer,
    { path = '/otel/v1/traces', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; type: string | null; body: Buffer; json: () => Json }> {
    const response = await fetch(new URL(path, this.baseUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': this.key, ...headers },
      body,
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type');
    return { status: response.status, type, body: bytes, json: () => JSON.parse(bytes.toString()) as Json };
  }

  json(message: object, options?: Parameters<Exporter['send']>[1]) {
    return this.send(JSON.stringify(message), options);
  }

  gzip(body: string | Buffer, headers: Record<string, string> = {}) {
    return this.send(gzipSync(body), { headers: { 'content-encoding': 'gzip', ...headers } });
  }
}
