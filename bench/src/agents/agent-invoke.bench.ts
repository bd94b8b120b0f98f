import type { Bench, Sizes } from '../bench.js';
import { report, reportAlone, type Verdict } from '../measure/report.js';
import { alternate, median, type Sample, type Side } from '../measure/rounds.js';
import { AgentSetup, type Invoked, type InvokedRound } from './setup.js';

/** Numbers of invocations at once, each with its goals: the share of the base's rate. */
const LOADS = [
  { connections: 1, must: 0.1, aim: 0.25 },
  { connections: 8, must: 0.15, aim: 0.3 },
  { connections: 32, must: 0.15, aim: 0.3 },
] as const;

/** Milliseconds that an invocation adds to its model call, p50 at one connection. */
const ADDED = { id: 'agents', unit: 'ms', better: 'less', must: 12, aim: 6 } as const;

const sum = (values: Iterable<number>): number => [...values].reduce((all, value) => all + value, 0);

function printCpu(rounds: readonly InvokedRound[]): void {
  const names = [...(rounds[0]?.cpuMicros.keys() ?? [])];
  const each = names.map(
    (name) => `${name} ${Math.round(median(rounds.map((round) => round.cpuMicros.get(name) ?? 0)))}`,
  );
  console.log(`  CPU µs of an invocation: ${each.join(', ')}`);
}

async function measure(setup: AgentSetup, { tiny, rounds }: Sizes): Promise<Verdict[]> {
  const seconds = tiny ? 0.1 : 3;
  const verdicts: Verdict[] = [];
  let invoked = 0;
  const before = await setup.completed();
  for (const { connections, must, aim } of LOADS) {
    const seen: InvokedRound[] = [];
    const side = (of: Invoked, keep: InvokedRound[]): Side => ({
      name: of.name,
      round: async (): Promise<Sample> => {
        const round = await setup.load(of, { connections, seconds });
        invoked += round.requests;
        keep.push(round);
        const { requests, errors, cpuMicros } = round;
        return { value: requests / round.seconds, cpuMicros: sum(cpuMicros.values()), errors };
      },
    });
    const [base, product] = [side(setup.oneProcess, []), side(setup.product, seen)];
    const goal = { id: 'agents', unit: 'invocations/s', better: 'more', must, aim } as const;
    const outcome = await alternate(base, product, rounds);
    verdicts.push(
      report(
        { ...goal, what: `invoke an agent that asks its model once, ${connections} at once` },
        base,
        product,
        outcome,
      ),
    );
    const measured = seen.slice(-rounds);
    printCpu(measured);
    if (connections > 1) continue;
    const { p50 } = await setup.load(setup.model, { connections, seconds });
    const added = measured.map((round) => round.p50 - p50);
    verdicts.push(reportAlone({ ...ADDED, what: 'added to the model call by an invocation, p50' }, added));
  }
  const lost = (await setup.completed()) - before < invoked ? 1 : 0;
  return verdicts.map((verdict, at) => (at === 0 ? { ...verdict, errors: verdict.errors + lost } : verdict));
}

/** An invocation from the request to its reply, against one process that calls the same model and writes the same rows. */
export const agentInvoke: Bench = {
  name: 'agent-invoke',
  description:
    'invocations of an agent with one model call, 1, 8 and 32 at once, against one Fastify process with the same call and rows',
  run: (sizes) =>
    sizes.setups.onPlatform(AgentSetup.NEEDS, async (platform) => {
      const setup = await AgentSetup.on(platform, sizes.setups);
      try {
        return await measure(setup, sizes);
      } finally {
        await setup.stop();
      }
    }),
};
