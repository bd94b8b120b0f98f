import type { Platform, PlatformOptions } from '@signalbox/testing';
import type { Bench, Sizes } from '../bench.js';
import { takeGenerator } from '../load/generators.js';
import type { Load, LoadResult } from '../load/protocol.js';
import { Child } from '../measure/child.js';
import { cpuSeconds } from '../measure/cpu.js';
import { report, type Verdict } from '../measure/report.js';
import { alternate, extraValue, progress, type Sample, type Side } from '../measure/rounds.js';
import type { Addresses, AttackerRequest, AttackReport } from './attacker.js';
import type { Setups } from '../setups.js';
import { ApiCompany, attacked, ruledAgent } from './companies.js';

const NEEDS: PlatformOptions = {
  services: ['accounts', 'traffic', 'agents-api', 'agents-worker', 'gateway'],
  env: { EGRESS_ALLOW: '127.0.0.1/32' },
  durable: true,
};
/** How many calls of the ordinary company are made at once, for how long, and how long before and after the attacks. */
interface Size extends Pick<Load, 'connections' | 'seconds'> {
  aroundSeconds: number;
  /** The nice value of the clients that attack: on a busy machine 19 would hold up a proof that the bench works. */
  nice: number;
}
const FULL: Size = { connections: 4, seconds: 4, aroundSeconds: 1, nice: 19 };
const TINY: Size = { connections: 1, seconds: 0.1, aroundSeconds: 0.05, nice: 0 };
const EVALUATIONS = ['like', 'matches', 'schema'];
const NAMES = [...EVALUATIONS, 'scrubber'];
/** Calls of the other company that are no attack: what a neighbour's ordinary use costs on the same machine. */
const ORDINARY = ['ordinary'];

const READ = 'GET one agent';
const ROUTING = 'routing test of 20 kB';

type Call = Pick<Load, 'prefix' | 'body' | 'first' | 'count' | 'expect'>;

/** Calls of the ordinary company: a read, and a routing test whose text is evaluated in a thread. */
const loads = (agentId: number): Record<'read' | 'routing', Call> => ({
  read: { prefix: '/api/v1/agents/', first: agentId, count: 1, expect: '"id":{id},' },
  routing: {
    first: 1,
    count: 100_000,
    prefix: `/api/v1/agents/${agentId}/routing/test`,
    body: JSON.stringify({ messages: [{ role: 'user', content: `where is my order {id}? ${'x'.repeat(20_000)}` }] }),
    expect: '"matched_rule_id":',
  },
});

/** Attacks by name, how long they are repeated, and the nice value of their clients. */
interface Attacks {
  seconds: number;
  nice: number;
  names: readonly string[];
}

/** The ordinary company and the attacking one, and the processes that play their clients. */
class Neighbours {
  private constructor(
    private readonly setups: Setups,
    private readonly platform: Platform,
    private readonly generator: Child,
    private readonly attacker: Child,
    private readonly ordinary: ApiCompany,
    readonly agentId: number,
    private readonly attack: (attacks: Attacks) => Promise<AttackReport>,
  ) {}

  static async on(platform: Platform, setups: Setups): Promise<Neighbours> {
    const generator = await takeGenerator(setups);
    const attacker = await Child.start(new URL('./attacker.js', import.meta.url), {});
    const [ordinary, company] = [await ApiCompany.on(platform, 'ordinary'), await ApiCompany.on(platform, 'attacker')];
    const target = await attacked(company, await attacker.ask<Addresses>({ kind: 'addresses' }));
    const { baseUrl, key } = company;
    const attack = (attacks: Attacks): Promise<AttackReport> =>
      attacker.ask<AttackReport>({
        ...{ kind: 'attack', baseUrl, key, attacked: target, ...attacks },
      } satisfies AttackerRequest);
    return new Neighbours(setups, platform, generator, attacker, ordinary, await ruledAgent(ordinary), attack);
  }

  private get pids(): number[] {
    const { processes, servers } = this.platform;
    return [...[...processes.values()].map(({ pid }) => pid), servers.postgres.pid, servers.nats.pid];
  }

  private async load(load: Call, { connections, seconds }: Size): Promise<Sample> {
    const before = cpuSeconds(this.pids);
    const { requests, errors, p50, p99 } = await this.generator.ask<LoadResult>({
      port: this.platform.port,
      headers: { 'x-service-api-key': this.ordinary.key },
      connections,
      seconds,
      status: 200,
      ...load,
    } satisfies Load);
    const cpuMicros = ((cpuSeconds(this.pids) - before) / requests) * 1e6;
    return { value: p99, extraValue: p50, cpuMicros, errors };
  }

  /** The load alone, and with some attacks at once; an attack that is never evaluated is an error of the bench. */
  sides(load: Call, size: Size, names: readonly string[]): [Side, Side] {
    const alone = { name: 'alone', round: () => this.load(load, size) };
    const round = async (): Promise<Sample> => {
      const attacking = this.attack({ seconds: size.seconds + 2 * size.aroundSeconds, nice: size.nice, names });
      await new Promise((resolve) => setTimeout(resolve, size.aroundSeconds * 1000));
      const sample = await this.load(load, size);
      const ended = await attacking;
      progress(JSON.stringify(ended));
      const missing = names.filter((name) => !Object.keys(ended).some((each) => each.startsWith(`${name} `)));
      return { ...sample, errors: sample.errors + missing.length };
    };
    return [alone, { name: 'attacked', round }];
  }

  async stop(): Promise<void> {
    await Promise.all([this.setups.release(this.generator), this.attacker.stop()]);
  }
}

/** What is measured, by name: calls of the ordinary company, and what the other one does meanwhile. */
function plan(agentId: number, tiny: boolean): [name: string, call: Call, names: readonly string[]][] {
  const { read, routing } = loads(agentId);
  // Each attack costs up to a second: that all of them work is shown once.
  if (tiny)
    return [
      [READ, read, [...EVALUATIONS, ...ORDINARY]],
      [ROUTING, routing, ['scrubber']],
    ];
  return [
    [READ, read, NAMES],
    [ROUTING, routing, NAMES],
    [`${READ}, evaluations only`, read, EVALUATIONS],
    [`${READ}, ordinary calls only`, read, ORDINARY],
  ];
}

async function measure(neighbours: Neighbours, { tiny, rounds }: Sizes): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [name, call, names] of plan(neighbours.agentId, tiny)) {
    const [alone, attackedSide] = neighbours.sides(call, tiny ? TINY : FULL, names);
    const outcome = await alternate(alone, attackedSide, rounds);
    const goal = { id: 'R16', unit: 'ms', better: 'less', must: 2, aim: 1.5 } as const;
    verdicts.push(report({ ...goal, what: `${name}, p99` }, alone, attackedSide, outcome));
    verdicts.push(report({ ...goal, what: `${name}, p50` }, alone, attackedSide, extraValue(outcome)));
  }
  return verdicts;
}

/** R16: what one company notices of another that attacks every evaluator at once. */
export const neighbours: Bench = {
  name: 'neighbours',
  description: 'R16: calls of one company while another sends slow like, slow matches, scrubbing and slow schemas',
  run: (sizes) =>
    sizes.setups.onPlatform(NEEDS, async (platform) => {
      const both = await Neighbours.on(platform, sizes.setups);
      try {
        return await measure(both, sizes);
      } finally {
        await both.stop();
      }
    }),
};
