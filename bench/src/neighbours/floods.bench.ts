import type { Platform, PlatformOptions } from '@signalbox/testing';
import type { Bench, Sizes } from '../bench.js';
import { takeGenerator } from '../load/generators.js';
import type { Load, LoadResult } from '../load/protocol.js';
import { Child } from '../measure/child.js';
import { judged, shown, table, type Verdict } from '../measure/report.js';
import { median, progress } from '../measure/rounds.js';
import type { Setups } from '../setups.js';
import { TRIVIAL } from '../workflow-runs/setup.js';
import type { Addresses, AttackReport, AttackerRequest } from './attacker.js';
import { ApiCompany } from './companies.js';
import { type Flooded, floodsOn } from './floods.js';
import { flooded } from './flooded-company.js';

const NEEDS: PlatformOptions = {
  services: ['accounts', 'traffic', 'agents-api', 'agents-worker', 'workflows', 'runner', 'test-runs', 'gateway'],
  env: { EGRESS_ALLOW: '127.0.0.1/32' },
  durable: true,
};
const GOAL = { better: 'less', must: 3, aim: 1.5 } as const;

/** How long the calls of each kind are made, and how long a flood lasts before. */
interface Size {
  seconds: number;
  beforeSeconds: number;
  /** The nice value of the clients of a flood: on a busy machine 19 would hold up a proof that the bench works. */
  nice: number;
  /** Connections of a flood; by default those that it has. */
  floodConnections?: number;
}
const FULL: Size = { seconds: 3, beforeSeconds: 2, nice: 19 };
const TINY: Size = { seconds: 0.05, beforeSeconds: 0.05, nice: 0, floodConnections: 1 };
const CONNECTIONS = 2;

const CALLS = ['create', 'read', 'run'] as const;
type Call = Pick<Load, 'prefix' | 'body' | 'first' | 'count' | 'expect'>;
/** What a company is served within one round. */
type Served = Record<(typeof CALLS)[number], LoadResult>;

/** The company that is measured. */
interface Measured {
  company: ApiCompany;
  agentId: number;
  workflowId: number;
}

const callsOf = ({ agentId, workflowId }: Measured): Record<(typeof CALLS)[number], Call> => ({
  create: { prefix: '/api/v1/tags', body: '{"tag_name":"{uuid}"}', first: 1, count: 100_000, expect: '"id":' },
  read: { prefix: '/api/v1/agents/', first: agentId, count: 1, expect: '"id":{id},' },
  run: {
    ...{ prefix: `/api/v1/workflows/${workflowId}/execute`, first: 1, count: 100_000 },
    body: '{"input":41,"mode":"sync"}',
    expect: '"output":42',
  },
});

/** A company that is measured, one that floods, and the processes that play their clients. */
class TwoCompanies {
  private constructor(
    private readonly setups: Setups,
    private readonly generator: Child,
    private readonly flooder: Child,
    private readonly measured: Measured,
    private readonly floodingCompany: ApiCompany,
    private readonly target: Flooded,
    private readonly size: Size,
  ) {}

  static async on(platform: Platform, setups: Setups, size: Size): Promise<TwoCompanies> {
    const generator = await takeGenerator(setups);
    const flooder = await Child.start(new URL('./attacker.js', import.meta.url), {});
    const [company, flooding] = [await ApiCompany.on(platform, 'measured'), await ApiCompany.on(platform, 'flooding')];
    const { target } = await flooder.ask<Addresses>({ kind: 'addresses' } satisfies AttackerRequest);
    const measured = {
      company,
      agentId: await company.agent('read'),
      workflowId: await company.create('/workflows', { workflow_ref_name: 'trivial', script: TRIVIAL }),
    };
    return new TwoCompanies(setups, generator, flooder, measured, flooding, await flooded(flooding, target), size);
  }

  get floods(): string[] {
    return Object.keys(floodsOn(this.target));
  }

  async alone(): Promise<Served> {
    const { company } = this.measured;
    const served: Partial<Served> = {};
    for (const [name, call] of Object.entries(callsOf(this.measured)))
      served[name as keyof Served] = await this.generator.ask<LoadResult>({
        port: Number(new URL(company.baseUrl).port),
        headers: { 'x-service-api-key': company.key },
        connections: CONNECTIONS,
        seconds: this.size.seconds,
        status: 200,
        ...call,
      } satisfies Load);
    return served as Served;
  }

  /** The same next to a flood; one that does not do its work is an error of the bench. */
  async next(name: string): Promise<Served> {
    const { baseUrl, key } = this.floodingCompany;
    const { beforeSeconds, seconds, nice, floodConnections: connections } = this.size;
    const flood = this.flooder.ask<AttackReport>({
      ...{ kind: 'flood', baseUrl, key, name, flooded: this.target },
      ...{ seconds: beforeSeconds + CALLS.length * seconds, nice },
      ...(connections === undefined ? {} : { connections }),
    } satisfies AttackerRequest);
    await new Promise((resolve) => setTimeout(resolve, beforeSeconds * 1000));
    const served = await this.alone();
    const ended = await flood;
    progress(JSON.stringify(ended));
    // An input that misses its schema, or takes too long to be checked, is refused: that is the work of that flood.
    const works = Object.keys(ended).some((each) => /(200|400|422|left)$/.test(each));
    const fails = Object.keys(ended).some((each) => each.endsWith('without its work'));
    if (!works || fails) served.read.errors += 1;
    return served;
  }

  async stop(): Promise<void> {
    await Promise.all([this.setups.release(this.generator), this.flooder.stop()]);
  }
}

/** The rounds of a flood, alone and next to it. */
interface Rounds {
  alone: Served[];
  next: Served[];
}

async function roundsOf(both: TwoCompanies, name: string, { tiny, rounds }: Sizes): Promise<Rounds> {
  const measured: Rounds = { alone: [], next: [] };
  // The first round of each is discarded: code is compiled in it.
  for (let round = tiny ? 0 : -1; round < rounds; round++) {
    progress(`${name}: round ${round + 1} of ${rounds}`);
    const [alone, next] = [await both.alone(), await both.next(name)];
    if (round < 0) continue;
    measured.alone.push(alone);
    measured.next.push(next);
  }
  return measured;
}

const HEAD = ['', 'call', 'alone p50', 'p99', 'next to it p50', 'p99', 'ratio p50', 'p99', 'errors', ''];

/** A row for each call, with the verdict about its p99. */
function rowsOf(name: string, { alone, next }: Rounds): { row: string[]; verdict: Verdict }[] {
  const middle = (rounds: readonly Served[], call: keyof Served, value: 'p50' | 'p99'): number =>
    median(rounds.map((served) => served[call][value]));
  return CALLS.map((call) => {
    const values = [alone, next].flatMap((side) => [middle(side, call, 'p50'), middle(side, call, 'p99')]);
    const [p50 = NaN, p99 = NaN, nextP50 = NaN, nextP99 = NaN] = values;
    const errors = [...alone, ...next].reduce((sum, served) => sum + served[call].errors, 0);
    const ratio = nextP99 / p99;
    const ratios = [nextP50 / p50, ratio].map((each) => `${each.toFixed(2)}×`);
    const row = [name, call, ...values.map(shown), ...ratios, String(errors), judged(ratio, GOAL)];
    return { row, verdict: { goal: 'P27', ratio, errors } };
  });
}

async function measure(both: TwoCompanies, sizes: Sizes): Promise<Verdict[]> {
  const rows: ReturnType<typeof rowsOf> = [];
  const chosen = both.floods.filter((name) => name.startsWith(sizes.flood ?? ''));
  if (chosen.length === 0) throw new Error(`there is no flood ${sizes.flood}: ${both.floods.join(', ')}`);
  for (const name of chosen) rows.push(...rowsOf(name, await roundsOf(both, name, sizes)));
  console.log(
    `\nP27  calls of a company next to the floods of another, ms; p99 must ≤ ${GOAL.must}×, aim ≤ ${GOAL.aim}×`,
  );
  console.log(table([HEAD, ...rows.map(({ row }) => row)]));
  return rows.map(({ verdict }) => verdict);
}

/** P27: what one company notices of another at its worst. */
export const floods: Bench = {
  name: 'floods',
  description: 'P27: create, read and run of one company while another floods the platform, one kind at a time',
  run: (sizes) =>
    sizes.setups.onPlatform(NEEDS, async (platform) => {
      const both = await TwoCompanies.on(platform, sizes.setups, sizes.tiny ? TINY : FULL);
      try {
        return await measure(both, sizes);
      } finally {
        await both.stop();
      }
    }),
};
