import { apiKeys } from '@signalbox/contracts';
import { eventually, type Platform } from '@signalbox/testing';
import type { Bench, Sizes } from '../bench.js';
import { withGenerator } from '../load/generators.js';
import type { Load, LoadResult } from '../load/protocol.js';
import type { Child } from '../measure/child.js';
import { cpuSeconds } from '../measure/cpu.js';
import { report, reportFigures, type Verdict } from '../measure/report.js';
import { alternate, extraValue, type Sample, type Side } from '../measure/rounds.js';
import { exportBody, SPANS, TRACES } from './trace-export.js';

const SECONDS = 6;
/** Exports under way at once, as of so many programs. */
const EXPORTERS = 8;
/** What is sent becomes visible, and is closed, long before. */
const LONG_MS = 300_000;

/** Programs that send their traces to a platform; each round is a company of its own. */
class Traces implements Side {
  readonly name = 'signalbox';
  readonly p50: Sample[] = [];
  readonly p99: Sample[] = [];

  constructor(
    private readonly platform: Platform,
    private readonly generator: Child,
    private readonly tiny: boolean,
  ) {}

  /** `value` is of spans that were confirmed, `extraValue` of those whose tasks are shown. */
  async round(): Promise<Sample> {
    const { companyId } = await this.platform.company();
    const load = await this.loadOf(companyId);
    const { processes, servers } = this.platform;
    const pids = [...[...processes.values()].map(({ pid }) => pid), servers.postgres.pid, servers.nats.pid];
    const before = cpuSeconds(pids);
    const began = performance.now();
    const { requests, seconds, errors, p50, p99 } = await this.generator.ask<LoadResult>(load);
    const spans = requests * SPANS;
    const missing = Math.abs(spans - (await this.count('traffic.otel_records', companyId)));
    await this.until('every trace is shown', async () => {
      return (await this.count('agents.tasks', companyId)) >= requests * TRACES;
    });
    const shownSeconds = (performance.now() - began) / 1000;
    if (!this.tiny) await this.closed(companyId);
    const cpuMicros = ((cpuSeconds(pids) - before) / spans) * 1e6;
    this.p50.push({ value: p50, cpuMicros, errors: 0 });
    this.p99.push({ value: p99, cpuMicros, errors: 0 });
    return { value: spans / seconds, extraValue: spans / shownSeconds, cpuMicros, errors: errors + missing };
  }

  private async loadOf(companyId: number): Promise<Load> {
    const input = { name: 'exporter', scopes: ['ingest' as const] };
    const caller = this.platform.caller(companyId);
    const { key } = await this.platform.bus.call(apiKeys.endpoints.createApiKey, input, caller);
    return {
      port: this.platform.port,
      prefix: '/otel/v1/traces',
      headers: { 'x-service-api-key': key ?? '' },
      body: exportBody(Date.now()),
      first: 10_000_000,
      count: 100_000,
      connections: EXPORTERS,
      seconds: this.tiny ? 0.1 : SECONDS,
      status: 200,
      expect: '{"partialSuccess":{}}',
    };
  }

  private async count(table: string, companyId: number, more = ''): Promise<number> {
    const { rows } = await this.platform.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE company_id = $1 ${more}`,
      [companyId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Traces are closed ten seconds after their last span: that work would run in the next round, at its expense. */
  private closed(companyId: number): Promise<unknown> {
    return this.until('no trace is open', async () => {
      return (await this.count('traffic.otel_traces', companyId, 'AND closed_at IS NULL')) === 0;
    });
  }

  private until(what: string, isSo: () => Promise<boolean>): Promise<unknown> {
    return eventually(what, isSo, LONG_MS);
  }
}

async function measure(platform: Platform, generator: Child, { tiny, rounds }: Sizes): Promise<Verdict[]> {
  const side = new Traces(platform, generator, tiny);
  const outcome = await alternate(null, side, rounds);
  const what = `spans in exports of ${SPANS} as JSON, ${EXPORTERS} at once`;
  const goal = { id: 'P25', unit: 'spans/s', better: 'more', must: 3000, aim: 10_000, of: 'value' } as const;
  return [
    report({ ...goal, what: `${what}: stored and confirmed` }, null, side, outcome),
    report({ ...goal, what: `${what}: until their tasks are shown` }, null, side, extraValue(outcome)),
    reportFigures('duration of an export', 'ms', { p50: side.p50.slice(-rounds), p99: side.p99.slice(-rounds) }),
  ];
}

/** P25: how fast traces of programs that run elsewhere are taken in. */
export const traces: Bench = {
  name: 'traces',
  description: 'P25: spans of OpenTelemetry over HTTP, stored when they are confirmed, until their tasks are shown',
  run: (sizes) =>
    sizes.setups.onPlatform({ services: ['accounts', 'traffic', 'agents', 'gateway'], durable: true }, (platform) =>
      withGenerator(sizes.setups, (generator) => measure(platform, generator, sizes)),
    ),
};
