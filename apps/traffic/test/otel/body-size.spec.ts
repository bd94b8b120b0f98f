import { create, toBinary } from '@bufbuild/protobuf';
import { requireFewParts } from '../../src/otel/otlp/body-size.js';
import { ExportTraceServiceRequestSchema } from '../../src/otel/otlp/generated/opentelemetry/proto/collector/trace/v1/trace_service_pb.js';
import { KeyValueSchema } from '../../src/otel/otlp/generated/opentelemetry/proto/common/v1/common_pb.js';
import { SpanSchema } from '../../src/otel/otlp/generated/opentelemetry/proto/trace/v1/trace_pb.js';

const SCHEMA = ExportTraceServiceRequestSchema;
const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';
const DEPTH = 100;
const check = (body: Buffer | string, type: typeof PROTOBUF | typeof JSON_TYPE) => () =>
  requireFewParts(Buffer.from(body), type, SCHEMA, DEPTH);

/** A batch as collectors send it. */
function batch(spans: number, attributes: number): Buffer {
  const attribute = (at: number) =>
    create(KeyValueSchema, { key: `key.${at}`, value: { value: { case: 'stringValue', value: 'text' } } });
  const span = create(SpanSchema, {
    ...{ traceId: Buffer.alloc(16, 1), spanId: Buffer.alloc(8, 1), name: 'chat' },
    attributes: Array.from({ length: attributes }, (_, at) => attribute(at)),
  });
  const scopeSpans = [{ spans: Array.from({ length: spans }, () => span) }];
  return Buffer.from(toBinary(SCHEMA, create(SCHEMA, { resourceSpans: [{ scopeSpans }] })));
}

describe('what a body consists of', () => {
  it('is taken for the largest batches that collectors send', () => {
    expect(check(batch(8192, 16), PROTOBUF)).not.toThrow();
  });

  it.each<[string, () => Buffer | string, typeof PROTOBUF | typeof JSON_TYPE]>([
    ['empty groups of spans', () => Buffer.alloc(2_000_000).fill(Buffer.from([0x0a, 0])), PROTOBUF],
    ['fields that are not known', () => Buffer.alloc(5_000_000).fill(Buffer.from([0x78, 0])), PROTOBUF],
    ['more attributes than memory', () => batch(2000, 100), PROTOBUF],
    ['empty objects', () => `[${'{},'.repeat(1_500_000)}{}]`, JSON_TYPE],
    ['empty lists', () => `[${'[],'.repeat(1_500_000)}[]]`, JSON_TYPE],
    ['numbers', () => `[${'1,'.repeat(2_500_000)}1]`, JSON_TYPE],
  ])('is refused when it is %s', (_, body, type) => {
    expect(check(body(), type)).toThrow('the body has too many values');
  });

  it('counts no signs in texts', () => {
    expect(check(JSON.stringify({ text: `${'{[,'.repeat(2_000_000)}\\"` }), JSON_TYPE)).not.toThrow();
  });

  it.each<[string, Buffer]>([
    ['a field without its end', Buffer.from([0x0a, 0x7f])],
    ['an endless number', Buffer.alloc(100, 255)],
    ['a group that never ends', Buffer.from([0x0b])],
    ['text', Buffer.from('{"resourceSpans":[]}')],
  ])('is left to the reader for %s', (_, body) => {
    expect(check(body, PROTOBUF)).not.toThrow();
  });
});
