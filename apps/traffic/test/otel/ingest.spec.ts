import { gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { ExportTraceServiceRequestSchema } from '../../src/otel/otlp/generated/opentelemetry/proto/collector/trace/v1/trace_service_pb.js';
import {
  AnyValueSchema,
  KeyValueSchema,
} from '../../src/otel/otlp/generated/opentelemetry/proto/common/v1/common_pb.js';
import { SpanSchema } from '../../src/otel/otlp/generated/opentelemetry/proto/trace/v1/trace_pb.js';
import { peakMemoryDuring, residentMib } from '@signalbox/testing';
import { startTraffic, type Traffic } from '../traffic.js';
import { attributes, exportOf, Exporter, type SentSpan, span, spanId, traceId } from './otel-client.js';

let traffic: Traffic;
let companyId: number;
let exporter: Exporter;
beforeAll(async () => {
  traffic = await startTraffic({ agents: true, gateway: true });
}, 90_000);
afterAll(() => traffic.stop());
beforeEach(async () => {
  ({ companyId } = await traffic.platform.company());
  exporter = await Exporter.of(traffic.platform, companyId);
});

const PROTOBUF = { 'content-type': 'application/x-protobuf' };

async function stored(trace: string, company = companyId): Promise<Record<string, unknown>[]> {
  const { rows } = await traffic.platform.sql.query<{ content: Record<string, unknown> }>(
    'SELECT content FROM traffic.otel_records WHERE company_id = $1 AND trace_id = $2 ORDER BY record_id',
    [company, trace],
  );
  return rows.map(({ content }) => content);
}

const protobufOf = (trace: string, id: string, more: object = {}): Buffer =>
  Buffer.from(
    toBinary(
      ExportTraceServiceRequestSchema,
      create(ExportTraceServiceRequestSchema, {
        resourceSpans: [
          {
            scopeSpans: [
              {
                spans: [
                  create(SpanSchema, {
                    traceId: Buffer.from(trace, 'hex'),
                    spanId: Buffer.from(id, 'hex'),
                    name: 'packed',
                    startTimeUnixNano: BigInt(Date.now() - 5) * 1_000_000n,
                    endTimeUnixNano: BigInt(Date.now()) * 1_000_000n,
                    ...more,
                  }),
                ],
              },
            ],
          },
        ],
      }),
    ),
  );

/** A value in so many lists. */
const nested = (depth: number): object =>
  depth === 0 ? { intValue: '1' } : { arrayValue: { values: [nested(depth - 1)] } };

describe('an export', () => {
  it('is stored before it is confirmed, in its media type, at both addresses', async () => {
    const trace = traceId();
    const json = await exporter.json(exportOf([span({ traceId: trace, attributes: { n: 5, list: [1, 'a'] } })]));
    expect(json).toMatchObject({ status: 200, type: 'application/json' });
    expect(json.json()).toEqual({ partialSuccess: {} });
    const binary = await exporter.send(protobufOf(trace, spanId()), {
      path: '/api/v1/otel/v1/traces',
      headers: PROTOBUF,
    });
    expect(binary).toMatchObject({ status: 200, type: 'application/x-protobuf' });
    expect(binary.body).toHaveLength(0);
    const packed = await exporter.gzip(protobufOf(trace, spanId()), PROTOBUF);
    expect(packed.status).toBe(200);
    const spans = await stored(trace);
    expect(spans.map(({ name }) => name).sort()).toEqual(['packed', 'packed', 'work']);
    expect(spans.find(({ name }) => name === 'work')).toMatchObject({
      attributes: { n: 5, list: [1, 'a'] },
      resource: { 'service.name': 'shop' },
    });
  });

  it('may be in snake case with numbers that are texts or numbers', async () => {
    const trace = traceId();
    const sent = {
      trace_id: trace.toUpperCase(),
      span_id: spanId(),
      parent_span_id: spanId(),
      name: 'snake',
      kind: 'SPAN_KIND_SERVER',
      start_time_unix_nano: Date.now() * 1e6,
      end_time_unix_nano: `${Date.now()}000000`,
      status: { code: 'STATUS_CODE_ERROR', message: 'broke' },
      attributes: [
        { key: 'tokens', value: { int_value: 7 } },
        { key: 'deep', value: { kvlist_value: { values: [{ key: 'a', value: { bool_value: true } }] } } },
      ],
    };
    const body = { resource_spans: [{ scope_spans: [{ spans: [sent] }] }] };
    expect((await exporter.json(body)).status).toBe(200);
    expect(await stored(trace)).toMatchObject([
      { kind: 2, error: 'broke', parent_id: sent.parent_span_id, attributes: { tokens: 7, deep: { a: true } } },
    ]);
  });

  it('changes nothing when it is repeated, in one body or several', async () => {
    const trace = traceId();
    const once = span({ traceId: trace });
    const body = exportOf([once, { ...once, name: 'other' }]);
    await Promise.all([1, 2, 3].map(() => exporter.json(body)));
    expect((await exporter.json(body)).json()).toEqual({ partialSuccess: {} });
    expect(await stored(trace)).toMatchObject([{ name: 'work' }]);
  });

  it('belongs to the company of its key alone', async () => {
    const other = await traffic.platform.company();
    const trace = traceId();
    const shared = span({ traceId: trace });
    await exporter.json(exportOf([shared]));
    await (await Exporter.of(traffic.platform, other.companyId)).json(exportOf([{ ...shared, name: 'theirs' }]));
    expect(await stored(trace)).toMatchObject([{ name: 'work' }]);
    expect(await stored(trace, other.companyId)).toMatchObject([{ name: 'theirs' }]);
  });

  it.each([
    ['what is no JSON', '{'],
    ['a list', '[]'],
    ['spans that are no list', '{"resourceSpans": {"a": 1}}'],
    ['an empty body', ''],
  ])('of %s is refused with 400', async (_, body) => {
    const refused = await exporter.send(body);
    expect(refused.json()).toMatchObject({ error: { status: 400 } });
  });

  it('is refused in the error body of the API: 401, 403, 405, 413, 415', async () => {
    const refusal = async (key: string, headers: Record<string, string> = {}, body: string | Buffer = '{}') =>
      (await new Exporter(exporter.baseUrl, key).send(body, { headers })).json();
    expect(await refusal('nonsense')).toMatchObject({ error: { status: 401 } });
    const { key } = await traffic.platform.company();
    expect(await refusal(key)).toEqual({ error: { status: 403, message: 'missing scope: ingest' } });
    expect(await refusal(exporter.key, { 'content-type': 'text/plain' })).toMatchObject({ error: { status: 415 } });
    expect(await refusal(exporter.key, { 'content-encoding': 'br' })).toMatchObject({ error: { status: 415 } });
    expect(await refusal(exporter.key, {}, Buffer.alloc(4_194_305))).toMatchObject({ error: { status: 413 } });
    const get = await fetch(new URL('/otel/v1/traces', exporter.baseUrl), {
      headers: { 'x-service-api-key': exporter.key },
    });
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it('may have its key as a bearer token', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${exporter.key}` };
    for (const signal of ['traces', 'logs', 'metrics']) {
      const sent = await fetch(new URL(`/otel/v1/${signal}`, exporter.baseUrl), {
        method: 'POST',
        headers,
        body: '{}',
      });
      expect([signal, sent.status]).toEqual([signal, 200]);
    }
  });

  it('of millions of empty values is refused with 413 before they take memory', async () => {
    const spans = Buffer.alloc(15_000_000).fill(Buffer.from([0x12, 0]));
    const length = (bytes: number): Buffer =>
      Buffer.from([(bytes & 127) | 128, ((bytes >> 7) & 127) | 128, ((bytes >> 14) & 127) | 128, bytes >> 21]);
    const scope = Buffer.concat([Buffer.from([0x12]), length(spans.length), spans]);
    const packed = Buffer.concat([Buffer.from([0x0a]), length(scope.length), scope]);
    const refused = [
      await exporter.gzip(packed, PROTOBUF),
      await exporter.gzip(`{"resourceSpans":[{}${',{}'.repeat(5_000_000)}]}`),
    ];
    for (const reply of refused)
      expect(reply.json()).toMatchObject({ error: { status: 413, message: 'the body has too many values' } });
  });

  it('that unpacks to more than 16 MiB is refused with 413, and broken gzip with 400', async () => {
    const bomb = await exporter.gzip(Buffer.alloc(200 * 1_048_576, 32));
    expect(bomb.json()).toMatchObject({ error: { status: 413, message: 'the unpacked body is larger than 16 MiB' } });
    const liar = gzipSync(JSON.stringify(exportOf([span({ traceId: traceId() })])));
    liar.writeUInt32LE(10, liar.length - 4);
    for (const body of ['not gzip', 'not gzip, but longer', liar]) {
      const broken = await exporter.send(body, { headers: { 'content-encoding': 'gzip' } });
      expect(broken.json()).toMatchObject({ error: { status: 400, message: 'the body is not valid gzip' } });
    }
  });

  it('may be of several members of gzip, within the same bound', async () => {
    const trace = traceId();
    const body = JSON.stringify(exportOf([span({ traceId: trace, attributes: { long: 'x'.repeat(100_000) } })]));
    const parts = [body.slice(0, -10), body.slice(-10)].map((part) => gzipSync(part));
    const headers = { 'content-encoding': 'gzip' };
    expect((await exporter.send(Buffer.concat(parts), { headers })).json()).toEqual({ partialSuccess: {} });
    expect(await stored(trace)).toHaveLength(1);
    const bomb = Buffer.concat([gzipSync(Buffer.alloc(17 * 1_048_576, 32)), gzipSync('{}')]);
    expect((await exporter.send(bomb, { headers })).json()).toMatchObject({
      error: { status: 413, message: 'the unpacked body is larger than 16 MiB' },
    });
  });

  it('is read next to others of its size in bounded memory, and no other company waits for them', async () => {
    const { platform } = traffic;
    const other = await Exporter.of(platform, (await platform.company()).companyId);
    const large = gzipSync(JSON.stringify({ resourceSpans: [], unknown: 'a'.repeat(15 * 1_048_576) }));
    const before = await residentMib(platform, 'traffic');
    const { result: statuses, peaks } = await peakMemoryDuring(platform, ['traffic'], async () => {
      const sent = Array.from({ length: 40 }, () => exporter.send(large, { headers: { 'content-encoding': 'gzip' } }));
      expect((await other.json(exportOf([span({ traceId: traceId() })]))).status).toBe(200);
      return (await Promise.all(sent)).map(({ status }) => status);
    });
    expect(statuses).toContain(200);
    // A busy machine may not read one within the time of a call; exporters repeat after each of the two.
    expect(statuses.filter((each) => ![200, 503, 504].includes(each))).toEqual([]);
    process.stdout.write(`40 exports of 15 MiB: ${Math.round(peaks['traffic']! - before)} MiB more\n`);
    expect(peaks['traffic']! - before).toBeLessThan(300);
  });
});

describe('a span', () => {
  const partial = async (spans: readonly unknown[]): Promise<unknown> =>
    (await exporter.json(exportOf(spans))).json().partialSuccess;

  it('with values more than 32 deep is rejected alone', async () => {
    const trace = traceId();
    const deep = (depth: number): SentSpan => ({
      ...span({ traceId: trace, name: `depth ${depth}` }),
      attributes: [{ key: 'deep', value: nested(depth) }] as never,
    });
    expect(await partial([deep(32), deep(33), deep(1000)])).toEqual({
      rejectedSpans: '2',
      errorMessage: '2 spans: values are nested more than 32 deep',
    });
    expect(await stored(trace)).toMatchObject([{ name: 'depth 32' }]);
    let value: object = { intValue: '1' };
    for (let depth = 0; depth < 20_000; depth++) value = { arrayValue: { values: [value] } };
    const text = (at: object): string => {
      let open = '';
      let levels = 0;
      for (let each = at as { arrayValue?: { values: object[] } }; each.arrayValue; levels++) {
        open += '{"arrayValue":{"values":[';
        each = each.arrayValue.values[0] as never;
      }
      return `${open}{"intValue":"1"}${']}}'.repeat(levels)}`;
    };
    const body = JSON.stringify(exportOf([deep(0)])).replace('{"intValue":"1"}', text(value));
    expect((await exporter.send(body)).json().partialSuccess).toMatchObject({ rejectedSpans: '1' });
  });

  it('larger than 1 MiB has its long texts cut, with a mark of how much', async () => {
    const trace = traceId();
    const long = span({ traceId: trace, attributes: { long: 'x'.repeat(2_000_000), short: 'kept' } });
    expect(await partial([long])).toEqual({});
    const [kept] = (await stored(trace)) as { attributes: { long: string; short: string } }[];
    expect(kept?.attributes.short).toBe('kept');
    expect(kept?.attributes.long).toMatch(/^x+ \[cut: \d+ bytes\]$/);
    const { 0: whole, 1: cut } = /^(x+) \[cut: (\d+) bytes\]$/.exec(kept?.attributes.long ?? '') ?? [];
    expect([whole ? cut!.length + Number(/cut: (\d+)/.exec(whole)?.[1]) : 0, cut!.length < 1_048_576]).toEqual([
      2_000_000,
      true,
    ]);
    const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`key-number-${at}`, `v${at}`]));
    expect(await partial([span({ traceId: trace, attributes: many })])).toMatchObject({ rejectedSpans: '1' });
  });

  it('with hostile texts, ids and clocks is stored or rejected, and never fails the export', async () => {
    const trace = traceId();
    const hostile = span({ traceId: trace, name: 'a\0b\ud800c', attributes: { __proto__: 'x\0', 'k\0': '\udfff' } });
    const clocks = span({ traceId: trace, name: 'clock', startTimeUnixNano: '9'.repeat(30), endTimeUnixNano: '-1' });
    const ids = [
      span({ traceId: 'zz' }),
      span({ traceId: '0'.repeat(32) }),
      { ...span({ traceId: trace }), spanId: 7 },
      { ...span({ traceId: trace }), attributes: 5 },
    ];
    expect(await partial([hostile, clocks, ...ids, null, 'text'])).toMatchObject({ rejectedSpans: '6' });
    const kept = await stored(trace);
    expect(kept.map(({ name }) => name).sort()).toEqual(['a\ufffdb\ufffdc', 'clock']);
    const clock = kept.find(({ name }) => name === 'clock') as { start_ms: number; end_ms: number };
    expect(Math.abs(Date.now() - clock.start_ms)).toBeLessThan(600_000);
    expect(clock.end_ms).toBeGreaterThanOrEqual(clock.start_ms);
  });

  // As long as what takes its place, so that the lengths in protobuf hold.
  const CUT = 'CUT-HERE';
  const BYTES = 'CUT-\xff\xc3\x28\xed';
  const SHOWN = 'CUT-\ufffd\ufffd(\ufffd';
  it.each<[string, (trace: string) => string | Buffer, object]>([
    [
      'JSON',
      (trace) => JSON.stringify(exportOf([span({ traceId: trace, name: CUT, attributes: { [CUT]: `${CUT}\0` } })])),
      {},
    ],
    [
      'protobuf',
      (trace) => {
        const value = create(AnyValueSchema, { value: { case: 'stringValue', value: `${CUT}\0` } });
        return protobufOf(trace, spanId(), { name: CUT, attributes: [create(KeyValueSchema, { key: CUT, value })] });
      },
      PROTOBUF,
    ],
  ])(
    'with texts in %s that are not UTF-8 is stored, with marks in their place, like the others',
    async (_, of, headers) => {
      const trace = traceId();
      const body = Buffer.from(of(trace)).toString('latin1');
      const reply = await exporter.send(Buffer.from(body.replaceAll(CUT, BYTES), 'latin1'), {
        headers: headers as never,
      });
      expect([reply.status, reply.body.toString()]).toEqual([200, headers === PROTOBUF ? '' : '{"partialSuccess":{}}']);
      expect(await stored(trace)).toMatchObject([{ name: SHOWN, attributes: { [SHOWN]: `${SHOWN}\ufffd` } }]);
    },
  );

  it('is rejected when its trace has 2,000 already', async () => {
    const trace = traceId();
    const spans = (count: number): SentSpan[] => Array.from({ length: count }, () => span({ traceId: trace }));
    expect(await partial(spans(1500))).toEqual({});
    expect(await partial(spans(600))).toEqual({
      rejectedSpans: '100',
      errorMessage: '100 spans: its trace has 2000 spans already',
    });
    expect(await stored(trace)).toHaveLength(2000);
  });

  it('that reopens its trace waits for the rest of its burst', async () => {
    const trace = traceId();
    const { sql } = traffic.platform;
    expect(await partial([span({ traceId: trace })])).toEqual({});
    const long = Date.now() - 600_000;
    await sql.query(
      'UPDATE traffic.otel_traces SET first_arrival = $2, last_arrival = $2, closed_at = $2 WHERE trace_id = $1',
      [trace, long],
    );
    expect(await partial([span({ traceId: trace })])).toEqual({});
    const { rows } = await sql.query<{ wait: string }>(
      'SELECT due_at - last_arrival AS wait FROM traffic.otel_traces WHERE trace_id = $1',
      [trace],
    );
    expect(Number(rows[0]?.wait)).toBeGreaterThanOrEqual(500);
  });

  it('of one of thousands of traces is stored like any other', async () => {
    const spans = Array.from({ length: 2000 }, () => span({ traceId: traceId() }));
    expect(await partial(spans)).toEqual({});
    const { rows } = await traffic.platform.sql.query<{ traces: number }>(
      'SELECT count(*)::int AS traces FROM traffic.otel_traces WHERE company_id = $1',
      [companyId],
    );
    expect(rows).toEqual([{ traces: 2000 }]);
  });
});

describe('logs and metrics', () => {
  it('are accepted, and the reply says that metrics are not kept', async () => {
    const metrics = await exporter.json({ resourceMetrics: [] }, { path: '/otel/v1/metrics' });
    expect([metrics.status, metrics.json().partialSuccess]).toEqual([
      200,
      { rejectedDataPoints: '0', errorMessage: 'metrics are not kept' },
    ]);
  });

  it('keep evaluations once, and say that other records are not kept', async () => {
    const trace = traceId();
    const evaluation = {
      traceId: trace,
      spanId: spanId(),
      timeUnixNano: `${Date.now()}000000`,
      eventName: 'gen_ai.evaluation.result',
      attributes: attributes({ 'gen_ai.evaluation.name': 'tone', 'gen_ai.evaluation.score.value': 4 }),
    };
    const records = [evaluation, evaluation, { body: { stringValue: 'a line' } }];
    const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] };
    const reply = await exporter.json(logs, { path: '/otel/v1/logs' });
    expect([reply.status, reply.json().partialSuccess]).toMatchObject([200, { rejectedLogRecords: '1' }]);
    expect(await stored(trace)).toMatchObject([{ attributes: { 'gen_ai.evaluation.name': 'tone' } }]);
  });
});
