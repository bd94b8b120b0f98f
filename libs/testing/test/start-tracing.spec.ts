import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type OtlpCollector, ROOT, startOtlpCollector } from '@signalbox/testing';

/** A process that logs within a span that fails, and prints which parts of the SDK it has loaded. */
const PROGRAM = `
import { createRequire } from 'node:module';
import { createLogger, readSettings, startTracing, tracing, TRACING_SETTINGS } from '${ROOT}libs/platform/dist/src/index.js';
const logger = createLogger('widgets', 'info');
await startTracing('widgets', readSettings(TRACING_SETTINGS), logger);
const work = async () => {
  logger.info('within');
  throw Object.assign(new Error('the password is hunter2'), { code: '23505' });
};
await (tracing ? tracing.run('write', {}, work) : work()).catch(() => undefined);
await tracing?.shutdown();
const loaded = Object.keys(createRequire('${ROOT}libs/platform/dist/src/index.js').cache);
logger.info({ sdk: loaded.filter((file) => file.includes('@opentelemetry/sdk')).length > 0 }, 'loaded');
logger.flush();
`;

type Line = { message: string; trace_id?: string; span_id?: string; sdk?: boolean };

describe('a process', () => {
  let collector: OtlpCollector;
  beforeEach(async () => void (collector = await startOtlpCollector()));
  afterEach(() => collector.close());

  const run = async (env: Record<string, string>): Promise<Line[]> => {
    const given = ['--input-type=module', '-e', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, given, { env });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  };
  const endpoint = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });

  it('loads no SDK and logs no trace without its settings', async () => {
    for (const env of [
      {},
      { ...endpoint(), OTEL_SDK_DISABLED: 'true' },
      { ...endpoint(), OTEL_TRACES_EXPORTER: 'none' },
    ]) {
      const [within, loaded] = await run(env);
      expect([within?.trace_id, loaded?.sdk]).toEqual([undefined, false]);
    }
    expect(collector.bodies).toEqual([]);
  });

  it('exports its spans as protobuf, and names them in its log', async () => {
    const [within, loaded] = await run(endpoint());
    expect(loaded?.sdk).toBe(true);
    expect(collector.bodies.map(({ contentType }) => contentType)).toEqual(['application/x-protobuf']);
    const [{ bytes } = { bytes: Buffer.alloc(0) }] = collector.bodies;
    expect(bytes.includes('signalbox-widgets')).toBe(true);
    expect(bytes.includes(Buffer.from(within?.trace_id ?? 'none', 'hex'))).toBe(true);
    expect(bytes.includes(Buffer.from(within?.span_id ?? 'none', 'hex'))).toBe(true);
    expect(bytes.includes('23505')).toBe(true);
    expect(bytes.includes('hunter2')).toBe(false);
  });

  it('reads name, attributes, protocol and sampling from the standard variables', async () => {
    const named = { OTEL_SERVICE_NAME: 'stationery', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' };
    await run({ ...endpoint(), ...named, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
    expect(collector.spans).toMatchObject([{ service: 'stationery', name: 'write', isError: true }]);
    expect(collector.bodies[0]?.bytes.includes('deployment.environment.name')).toBe(true);
    const before = collector.bodies.length;
    await run({ ...endpoint(), OTEL_TRACES_SAMPLER: 'always_off' });
    expect(collector.bodies).toHaveLength(before);
  });

  it('refuses an unsupported protocol', async () => {
    const failure = run({ ...endpoint(), OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
    await expect(failure).rejects.toThrow('OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json');
  });

  it('ends in time when the collector does not answer', async () => {
    await collector.close();
    const lines = await run(endpoint());
    expect(lines.map(({ message }) => message)).toContain('loaded');
    collector = await startOtlpCollector();
  });
});
