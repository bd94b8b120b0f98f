import { eventually, type Platform } from '@signalbox/testing';
import type { Bench, Sizes } from '../bench.js';
import { withGenerator } from '../load/generators.js';
import type { Load, LoadResult } from '../load/protocol.js';
import { Child } from '../measure/child.js';
import { cpuSeconds } from '../measure/cpu.js';
import { report, type Verdict } from '../measure/report.js';
import { alternate, type Sample, type Side } from '../measure/rounds.js';
import { BATCH, BODY } from './logged-call.js';

/** Length of a round: longer than the pause between two folds of metrics, which are part of the product's work. */
const SECONDS = 6;
/** Transactions under way at once, on both sides. */
const WRITERS = 4;

/** A platform and two companies in it: one is written to over HTTP, the other by COPY. */
class Ingest {
  private readonly written = new Map<number, number>();

  constructor(
    private readonly platform: Platform,
    private readonly seconds: number,
  ) {}

  private get serverPids(): number[] {
    return [this.platform.servers.postgres.pid, this.platform.servers.nats.pid];
  }

  /** Rows that were acknowledged and are missing, or the reverse. */
  private async missing(companyId: number, more: number): Promise<number> {
    const expected = (this.written.get(companyId) ?? 0) + more;
    this.written.set(companyId, expected);
    const { rows } = await this.platform.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM traffic.requests WHERE company_id = $1',
      [companyId],
    );
    return Math.abs(expected - (rows[0]?.count ?? 0));
  }

  /**
   * Waits until the metrics of all rows are folded and all events are sent: the folds of a round of COPY would run in
   * the next round of the product, at its expense.
   */
  private drained(): Promise<unknown> {
    return eventually(
      'no work of the last round is left',
      async () => {
        const { rows } = await this.platform.sql.query<{ left: boolean }>(
          `SELECT EXISTS (SELECT 1 FROM traffic.rollup_changes)
             OR EXISTS (SELECT 1 FROM traffic.outbox WHERE sent_at IS NULL) AS left`,
        );
        return rows[0]?.left === false;
      },
      60_000,
    );
  }

  copy(child: Child, companyId: number): Side {
    return {
      name: 'COPY of 1,000',
      round: async (): Promise<Sample> => {
        await this.drained();
        const pids = [child.pid, this.platform.servers.postgres.pid];
        const before = cpuSeconds(pids);
        const question = { seconds: this.seconds, writers: WRITERS };
        const { rows, seconds } = await child.ask<{ rows: number; seconds: number }>(question);
        const cpuMicros = ((cpuSeconds(pids) - before) / rows) * 1e6;
        return { value: rows / seconds, cpuMicros, errors: await this.missing(companyId, rows) };
      },
    };
  }

  http(generator: Child, { companyId, key }: { companyId: number; key: string }): Side {
    const load: Load = {
      port: this.platform.port,
      prefix: '/api/v1/chat/completions/responses',
      method: 'PUT',
      headers: { 'x-service-api-key': key },
      body: BODY,
      first: 1,
      count: 10_000,
      connections: WRITERS,
      seconds: this.seconds,
      status: 200,
      expect: '"created":true',
    };
    const pids = [...[...this.platform.processes.values()].map(({ pid }) => pid), ...this.serverPids];
    return {
      name: 'signalbox',
      round: async (): Promise<Sample> => {
        await this.drained();
        const before = cpuSeconds(pids);
        const { requests, seconds, errors } = await generator.ask<LoadResult>(load);
        const rows = requests * BATCH;
        const cpuMicros = ((cpuSeconds(pids) - before) / rows) * 1e6;
        return { value: rows / seconds, cpuMicros, errors: errors + (await this.missing(companyId, rows)) };
      },
    };
  }
}

async function compare(platform: Platform, generator: Child, { tiny, rounds }: Sizes): Promise<Verdict> {
  const [copied, posted] = [await platform.company(), await platform.company()];
  const copy = await Child.start(new URL('../bases/copy.js', import.meta.url), {
    DATABASE_URL: platform.servers.postgres.url,
    COMPANY: String(copied.companyId),
  });
  const ingest = new Ingest(platform, tiny ? 0.1 : SECONDS);
  const base = ingest.copy(copy, copied.companyId);
  const product = ingest.http(generator, posted);
  const what = 'request log over HTTP in batches of 100, acknowledged after the commit, 4 at once';
  const goal = { id: 'P11', what, unit: 'rows/s', better: 'more', must: 0.25, aim: 0.45 } as const;
  try {
    return report(goal, base, product, await alternate(base, product, rounds));
  } finally {
    await copy.stop();
  }
}

/** P11: how fast calls that were made elsewhere are logged. */
export const ingest: Bench = {
  name: 'ingest',
  description:
    'P11: request log over HTTP in batches of 100, acknowledged after the commit, against COPY of 1,000 rows',
  run: (sizes) =>
    sizes.setups.onPlatform({ services: ['accounts', 'traffic', 'gateway'], durable: true }, (platform) =>
      withGenerator(sizes.setups, async (generator) => [await compare(platform, generator, sizes)]),
    ),
};
