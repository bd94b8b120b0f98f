import { bodyOf, listen, type ListenOptions } from './http-listener.js';

export interface CollectedSpan {
  /** `service.name` of the process. */
  service: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: Record<string, unknown>;
  links: string[];
  isError: boolean;
}

/** OTLP over HTTP. */
export interface OtlpCollector {
  url: string;
  /** Those that arrived as JSON. */
  spans: CollectedSpan[];
  bodies: { contentType: string; bytes: Buffer }[];
  close(): Promise<void>;
}

type Value = {
  stringValue?: string;
  intValue?: string | number;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values?: Value[] };
};
type Attributes = { key: string; value: Value }[];

interface Span extends Omit<CollectedSpan, 'service' | 'attributes' | 'links' | 'isError'> {
  attributes?: Attributes;
  links?: { spanId: string }[];
  status?: { code?: number };
}

interface Export {
  resourceSpans?: { resource?: { attributes?: Attributes }; scopeSpans?: { spans?: Span[] }[] }[];
}

const ERROR = 2;

export async function startOtlpCollector(options: ListenOptions = {}): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: OtlpCollector['bodies'] = [];
  const listener = await listen((request, response) => {
    const receive = async (): Promise<void> => {
      const bytes = await bodyOf(request);
      const contentType = request.headers['content-type'] ?? '';
      const isTraces = request.method === 'POST' && request.url === '/v1/traces';
      if (isTraces) bodies.push({ contentType, bytes });
      if (isTraces && contentType === 'application/json')
        spans.push(...spansIn(JSON.parse(bytes.toString()) as Export));
      response.writeHead(isTraces ? 200 : 404, { 'content-type': contentType }).end();
    };
    receive().catch(() => response.destroy());
  }, options);
  return { url: listener.origin, spans, bodies, close: listener.close };
}

function spansIn({ resourceSpans = [] }: Export): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const service = String(attributesOf(resource?.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => collected(service, span)));
  });
}

const collected = (service: string, { name, kind, traceId, spanId, parentSpanId, ...more }: Span): CollectedSpan => ({
  service,
  name,
  kind,
  traceId,
  spanId,
  parentSpanId: parentSpanId ?? '',
  attributes: attributesOf(more.attributes),
  links: (more.links ?? []).map((link) => link.spanId),
  isError: more.status?.code === ERROR,
});

const attributesOf = (attributes: Attributes = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));

function valueOf({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  if (arrayValue) return (arrayValue.values ?? []).map(valueOf);
  return stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue));
}
