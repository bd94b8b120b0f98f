import type { Bench, Sizes } from '../bench.js';
import { type Goal, report, type Verdict } from '../measure/report.js';
import { alternate } from '../measure/rounds.js';
import { action, agent, constant, type Resource } from './resource.js';
import { type Asking, Transform } from './stage.js';

type Server = Awaited<ReturnType<Transform['base']>>;

function withStage(
  { tiny, stages }: Sizes,
  resource: Resource,
  run: (stage: Transform) => Promise<Verdict[]>,
): Promise<Verdict[]> {
  return stages.onPlatform(Transform.needs(resource), async (platform) => {
    const stage = await Transform.on(platform, resource, tiny ? 100 : 20_000);
    try {
      return await run(stage);
    } finally {
      await stage.stop();
    }
  });
}

async function compare(stage: Transform, base: Server, sizes: Sizes, goal: Goal, asking: Omit<Asking, 'seconds'>) {
  const product = stage.product();
  await stage.mustAgree(base, product);
  // A busy machine refuses some of a sudden crowd, which says nothing about the answers.
  const few = Math.min(4, asking.connections);
  const full: Asking = sizes.tiny ? { ...asking, connections: few, seconds: 0.2 } : { ...asking, seconds: 3 };
  const [a, b] = [stage.side(base, full), stage.side(product, full)];
  return report(goal, a, b, await alternate(a, b, sizes.rounds));
}

const perSecond: Asking['value'] = ({ requests, seconds }) => requests / seconds;
const RATE = { unit: 'requests/s', better: 'more' } as const;
const READ = { connections: 32, value: perSecond };
const A = { must: 0.8, aim: 1.2 };

/** P1: one resource by key, against the least that can answer it. */
export const read: Bench = {
  name: 'read',
  says: 'P1: GET one action, 32 connections, against base A (Fastify and a prepared point read)',
  run: (sizes) =>
    withStage(sizes, action, async (stage) => [
      await compare(
        stage,
        await stage.base('base A', ['point-read']),
        sizes,
        { id: 'P1', what: 'GET one action, 32 connections', ...RATE, ...A },
        READ,
      ),
    ]),
};

/** P1 on a composed resource: base A runs the same subqueries. */
export const readAgent: Bench = {
  name: 'read-agent',
  says: 'P1: GET one agent with its parts, 32 connections, against base A',
  run: (sizes) =>
    withStage(sizes, agent, async (stage) => [
      await compare(
        stage,
        await stage.base('base A', ['point-read']),
        sizes,
        { id: 'P1', what: 'GET one agent, 32 connections', ...RATE, ...A },
        READ,
      ),
    ]),
};

/** P2 and P3: the same read, against Nest as its documentation shows it. */
export const readIdiomatic: Bench = {
  name: 'read-idiomatic',
  says: 'P2, P3: GET one action, against a Nest gateway with ClientProxy and a Nest service with findOne',
  run: (sizes) =>
    withStage(sizes, action, async (stage) => {
      const base = await stage.base('idiomatic Nest', ['idiomatic-service', 'idiomatic-gateway']);
      return [
        await compare(
          stage,
          base,
          sizes,
          { id: 'P2', what: 'GET one action, 32 connections', ...RATE, must: 4, aim: 5.5 },
          READ,
        ),
        await compare(
          stage,
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

/** P4: what the shell of the gateway costs by itself. */
export const shell: Bench = {
  name: 'shell',
  says: 'P4: a reply of the gateway alone (key, scope, route, validation, envelope, log line), against bare Fastify',
  run: (sizes) =>
    withStage(sizes, constant, async (stage) => {
      const base = await stage.base('bare Fastify', ['constant'], { BODY: await stage.replyText(stage.product()) });
      const goal: Goal = { id: 'P4', what: 'constant reply, 32 connections', ...RATE, must: 0.5, aim: 0.6 };
      return [await compare(stage, base, sizes, goal, READ)];
    }),
};
