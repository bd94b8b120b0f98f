import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  formerRelease,
  type FormerRelease,
  type Replaced,
  rollingRestart,
  ROOT,
  startServers,
  TEST_MASTER_KEY,
  type TestServers,
} from '@signalbox/testing';
import { printTable } from './outcome-table.js';
import { EVERYTHING } from './replicas.js';
import { World } from './world.js';

/**
 * Updates two replicas of everything from the last tagged commit to this one and back, each process by process, under
 * calls whose models answer within so long.
 */
export function updatesUnderLoad(answerMs: [number, number], limitMs: number): void {
  let release: FormerRelease | null = null;
  let servers: TestServers;
  let world: World | undefined;
  beforeAll(async () => {
    release = await formerRelease();
    if (release === null) return;
    servers = await startServers();
    await migrate(servers, release.build);
    world = await World.start(answerMs, { servers, build: release.build });
  }, limitMs);
  afterAll(() => world?.stop());

  it(
    'fails no call, loses nothing and does nothing twice',
    async () => {
      if (release === null || world === undefined) {
        process.stderr.write('NO UPDATE WAS RUN: no tag can be reached from this commit, as in a shallow clone\n');
        return;
      }
      const { customers } = world;
      customers.start();
      await world.everyKindSucceeds();
      await world.during(`migrations of ${release.tag} to this commit`, async () => {
        await migrate(servers, ROOT);
        return null;
      });
      await world.during(`${release.tag} is replaced by this commit`, () => replaceAll(world!, ROOT, '', '-next'));
      await world.during(`this commit is replaced by ${release.tag}`, () =>
        replaceAll(world!, release!.build, '-next', '-back'),
      );
      const { lost, double, repeatedModelCalls } = await world.settle();
      printTable(world.outcomes, { lost, double, repeatedModelCalls });
      expect(
        world.outcomes.flatMap(({ scenario, failures }) => failures.map((each) => `${scenario}: ${each}`)),
      ).toEqual([]);
      expect({ lost, double, repeatedModelCalls }).toEqual({ lost: [], double: [], repeatedModelCalls: [] });
    },
    limitMs,
  );
}

/** As an operator does, with the command of a build. */
async function migrate({ dir, postgres }: TestServers, build: string): Promise<void> {
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: postgres.url,
    MASTER_KEY: TEST_MASTER_KEY,
    DATA_DIR: join(dir, 'operator'),
  };
  await promisify(execFile)(process.execPath, [join(build, 'apps/cli/bin/signalbox.mjs'), 'migrate'], { env });
}

/** All deployments at the same time, each process by process; returns how long one took to stop at most. */
async function replaceAll({ replicas }: World, build: string, from: string, to: string): Promise<number> {
  const replaced = await Promise.all(
    EVERYTHING.map((service) =>
      rollingRestart(
        replicas.platform,
        service,
        [1, 2].map((number) => `${service}-${number}${from}`),
        {
          env: replicas.settingsOf(service),
          order: service === 'completions' ? 'in place' : 'surge',
          build,
          suffix: to,
        },
      ),
    ),
  );
  const ended = replaced.flat();
  expect(ended.map(({ exitCode }) => exitCode)).toEqual(ended.map(() => 0));
  return Math.max(...ended.map(({ stopMs }: Replaced) => stopMs));
}
