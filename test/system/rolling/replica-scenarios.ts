import { rollingRestart } from '@signalbox/testing';
import { printTable } from './outcome-table.js';
import { EVERYTHING, type Service } from './replicas.js';
import { untilUnderWay, World } from './world.js';

/** A stream of a completion has no ids to continue it by, so the death of its process is an error of its client. */
const OF_KILLED_COMPLETIONS = /^completion stream: /;

/** `REPLICAS_KILL=runner,gateway` kills these kinds alone, and leaves out the restart and the node. */
const SELECTED = process.env.REPLICAS_KILL?.split(',');
const KILLED = EVERYTHING.filter((service) => SELECTED?.includes(service) ?? true);

/**
 * Two replicas of everything under calls whose models answer within so long: a rolling restart, the death of one process
 * of each kind, and the stop of a node, which is one replica of everything at once.
 */
export function keepsItsPromises(answerMs: [number, number], limitMs: number): void {
  let world: World;
  /** The process of each kind that the next scenario ends. */
  const current = new Map<Service, string>(EVERYTHING.map((service) => [service, `${service}-1`]));
  beforeAll(async () => void (world = await World.start(answerMs)), 300_000);
  afterAll(() => world?.stop());

  it(
    'fails no call, loses nothing and does nothing twice',
    async () => {
      world.customers.start();
      await world.everyKindSucceeds();
      const stops = SELECTED
        ? []
        : [
            await world.during('rolling restart of everything', () => restartEverything(world, current)),
            await world.during('a node is drained', () => drainNode(world, current)),
          ];
      for (const service of KILLED)
        await world.during(`kill −9 of ${service}`, async () => {
          await untilUnderWay(answerMs[0] / 2);
          await killOne(world, service, current.get(service)!);
          return null;
        });
      const { lost, double, repeatedModelCalls } = await world.settle();
      printTable(world.outcomes, { lost, double, repeatedModelCalls });
      const unexpected = world.outcomes.flatMap(({ scenario, failures }) =>
        failures
          .filter((failure) => scenario !== 'kill −9 of completions' || !OF_KILLED_COMPLETIONS.test(failure))
          .map((failure) => `${scenario}: ${failure}`),
      );
      expect(unexpected).toEqual([]);
      expect({ lost, double }).toEqual({ lost: [], double: [] });
      expect(stops.every(({ stopMs }) => stopMs !== null && stopMs < answerMs[1] * 2 + 60_000)).toBe(true);
    },
    limitMs,
  );
}

/** All deployments at the same time, each process by process; returns how long one took to stop at most. */
async function restartEverything({ replicas }: World, current: Map<Service, string>): Promise<number> {
  const replaced = await Promise.all(
    EVERYTHING.map((service) =>
      rollingRestart(replicas.platform, service, [`${service}-1`, `${service}-2`], {
        env: replicas.settingsOf(service),
        order: service === 'completions' ? 'in place' : 'surge',
      }),
    ),
  );
  for (const service of EVERYTHING) current.set(service, `${service}-1-next`);
  const ended = replaced.flat();
  expect(ended.map(({ exitCode }) => exitCode)).toEqual(ended.map(() => 0));
  return Math.max(...ended.map(({ stopMs }) => stopMs));
}

/**
 * Every process of one replica is told to stop at once, as an eviction does; its successor starts at the same time, that of
 * completions when its volume is free.
 */
async function drainNode({ replicas }: World, current: Map<Service, string>): Promise<number> {
  const { platform } = replicas;
  const stops = EVERYTHING.map(async (service) => {
    const label = current.get(service)!;
    const next = `${label}-again`;
    const began = Date.now();
    const stopped = platform
      .service(label)
      .kill('SIGTERM')
      .then(() => Date.now() - began);
    if (service === 'completions') await stopped;
    await platform.startService(service, next, await replicas.settingsOf(service)(next));
    current.set(service, next);
    const stopMs = await stopped;
    expect([service, platform.service(label).exitCode]).toEqual([service, 0]);
    platform.processes.delete(label);
    return stopMs;
  });
  return Math.max(...(await Promise.all(stops)));
}

/** What an orchestrator does with a process that has died: it is started again in its place. */
async function killOne({ platform }: World, service: Service, label: string): Promise<void> {
  expect([service, platform.service(label).running]).toEqual([service, true]);
  await platform.service(label).kill('SIGKILL');
  await platform.service(label).start();
}
