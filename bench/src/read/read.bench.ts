import type { Bench, Sizes } from '../bench.js';
import { type Goal, report, reportAlone, type Verdict } from '../measure/report.js';
import { alternate } from '../measure/rounds.js';
import { FAMILIES } from './families.js';
import { action, agent, constant, type Resource } from './resource.js';
import { type RoundLoad, ReadSetup } from './setup.js';

type Server = Awaited<ReturnType<ReadSetup['base']>>;

function withSetup(
  { tiny, setups }: Sizes,
  resource: Resource,
  run: (setup: ReadSetup) => Promise<Verdict[]>,
): Promise<Verdict[]> {
  return setups.onPlatform(ReadSetup.needs(resource), async (platform) => {
    const setup = await ReadSetup.on(platform, setups, resource, tiny ? 100 : 20_000);
    try {
      return await run(setup);
    } finally {
      await setup.stop();
    }
  });
}

async function compare(
  setup: ReadSetup,
  base: Server,
  sizes: Sizes,
  goal: Goal,
  roundLoad: Omit<RoundLoad, 'seconds'>,
): Promise<Verdict> {
  const { a, b, outcome } = await measured(setup, base, sizes, roundLoad);
  return report(goal, a, b, outcome);
}

async function measured(setup: ReadSetup, base: Server, sizes: Sizes, roundLoad: Omit<RoundLoad, 'seconds'>) {
  const product = setup.product();
  await setup.requireEqualReplies(base, product);
  // A busy machine refuses some of a sudden burst, which is no wrong reply.
  const few = Math.min(4, roundLoad.connections);
  const full: RoundLoad = sizes.tiny ? { ...roundLoad, connections: few, seconds: 0.1 } : { ...roundLoad, seconds: 3 };
  const [a, b] = [setup.side(base, full), setup.side(product, full)];
  return { a, b, outcome: await alternate(a, b, sizes.rounds) };
}

const perSecond: RoundLoad['value'] = ({ requests, seconds }) => requests / seconds;
const RATE = { unit: 'requests/s', better: 'more' } as const;
const READ = { connections: 32, value: perSecond };
const A = { must: 0.8, aim: 1.2 };

/** P1: one resource by key, against the minimal server. */
export const read: Bench = {
  name: 'read',
  description: 'P1: GET one action, 32 connections, against base A (Fastify and a prepared point read)',
  run: (sizes) =>
    withSetup(sizes, action, async (setup) => [
      await compare(
        setup,
        await setup.base('base A', ['point-read']),
        sizes,
        { id: 'P1', what: 'GET one action, 32 connections', ...RATE, ...A },
        READ,
      ),
    ]),
};

/** P1 on a composed resource: base A runs the same subqueries. */
export const readAgent: Bench = {
  name: 'read-agent',
  description: 'P1: GET one agent with its parts, 32 connections, against base A',
  run: (sizes) =>
    withSetup(sizes, agent, async (setup) => [
      await compare(
        setup,
        await setup.base('base A', ['point-read']),
        sizes,
        { id: 'P1', what: 'GET one agent, 32 connections', ...RATE, ...A },
        READ,
      ),
    ]),
};

/** All services, for figures of what a user has. */
const WHOLE = {
  services: ['accounts', 'agents', 'traffic', 'workflows', 'runner', 'monitors', 'test-runs', 'training', 'gateway'],
  env: { EGRESS_ALLOW: '127.0.0.1/32' },
  durable: true,
};
const TAIL = { unit: 'p99 in p50s', better: 'less', must: 12, aim: 8, of: 'value' } as const;

async function readFamily(setup: ReadSetup, sizes: Sizes, family: string): Promise<Verdict[]> {
  const what = `GET one ${family}, 32 connections, every service running`;
  const { a, b, outcome } = await measured(setup, await setup.base('base A', ['point-read']), sizes, READ);
  const goal: Goal = { id: 'P1', what, ...RATE, must: 0.6, aim: 0.8 };
  const tails = outcome.product.map(({ extraValue = NaN }) => extraValue);
  return [report(goal, a, b, outcome), reportAlone({ id: 'P1t', what, ...TAIL }, tails)];
}

/** P1 and P1t for one resource of each family. */
export const readFamilies: Bench = {
  name: 'read-families',
  description: 'P1, P1t: GET one agent, workflow, monitor, test set and application, each against base A',
  run: (sizes) =>
    sizes.setups.onPlatform(WHOLE, async (platform) => {
      const verdicts: Verdict[] = [];
      for (const [family, resource] of Object.entries(FAMILIES)) {
        const setup = await ReadSetup.on(platform, sizes.setups, resource, sizes.tiny ? 100 : 20_000);
        try {
          verdicts.push(...(await readFamily(setup, sizes, family)));
        } finally {
          await setup.stop();
        }
      }
      return verdicts;
    }),
};

/** P2 and P3: the same read, against Nest as its documentation shows it. */
export const readIdiomatic: Bench = {
  name: 'read-idiomatic',
  description: 'P2, P3: GET one action, against a Nest gateway with ClientProxy and a Nest service with findOne',
  run: (sizes) =>
    withSetup(sizes, action, async (setup) => {
      const base = await setup.base('idiomatic Nest', ['idiomatic-service', 'idiomatic-gateway']);
      return [
        await compare(
          setup,
          base,
          sizes,
          { id: 'P2', what: 'GET one action, 32 connections', ...RATE, must: 4, aim: 5.5 },
          READ,
        ),
        await compare(
          setup,
          base,
          sizes,
          {
            id: 'P3',
            what: 'GET one action, 1 connection, p50',
            unit: 'ms',
            better: 'less',
            must: 0.7,
            aim: 0.58,
          },
          { connections: 1, value: ({ p50 }) => p50 },
        ),
      ];
    }),
};

/** P4: the cost of the gateway without a bus call. */
export const shell: Bench = {
  name: 'shell',
  description:
    'P4: a reply of the gateway alone (key, scope, route, validation, envelope, log line), against bare Fastify',
  run: (sizes) =>
    withSetup(sizes, constant, async (setup) => {
      const base = await setup.base('bare Fastify', ['constant'], { BODY: await setup.replyText(setup.product()) });
      const goal: Goal = { id: 'P4', what: 'constant reply, 32 connections', ...RATE, must: 0.35, aim: 0.5 };
      return [await compare(setup, base, sizes, goal, READ)];
    }),
};
