import type { MasterKeys } from '@signalbox/servers';
import { type Replaced, rollingRestart } from '@signalbox/testing';
import { printTable } from './rolling/outcome-table.js';
import { EVERYTHING, type Service } from './rolling/replicas.js';
import { World } from './rolling/world.js';
import { RotationOperator, STEPS } from './rotation/operator.js';

const LIMIT_MS = 2_400_000;

let world: World;
let operator: RotationOperator;
/** The processes of each service that run now. */
const current = new Map<Service, string[]>(EVERYTHING.map((service) => [service, [`${service}-1`, `${service}-2`]]));

/** What an operator does at a step: the servers first, then all deployments at the same time. */
async function take(keys: MasterKeys, suffix: string): Promise<number> {
  await operator.succeeding(keys, 'migrate');
  await operator.reloadBus(keys);
  const secrets = await operator.secrets(keys);
  const replaced = await Promise.all(EVERYTHING.map((service) => replace(service, suffix, secrets(service))));
  const ended = replaced.flat();
  expect(ended.map(({ exitCode }) => exitCode)).toEqual(ended.map(() => 0));
  return Math.max(...ended.map(({ stopMs }) => stopMs));
}

async function replace(service: Service, suffix: string, secrets: Record<string, string>): Promise<Replaced[]> {
  const { replicas } = world;
  const labels = current.get(service) ?? [];
  current.set(
    service,
    labels.map((label) => `${label}${suffix}`),
  );
  const settingsOf = replicas.settingsOf(service);
  return rollingRestart(replicas.platform, service, labels, {
    env: async (label) => ({ ...(await settingsOf(label)), ...secrets }),
    order: service === 'completions' ? 'in place' : 'surge',
    suffix,
  });
}

describe('a change of the master key of two replicas of everything under load', () => {
  beforeAll(async () => {
    world = await World.start([200, 2000]);
    operator = new RotationOperator(world.platform.servers);
  }, 300_000);
  afterAll(() => world?.stop());

  it(
    'fails no call, loses nothing and does nothing twice',
    async () => {
      world.customers.start();
      await world.everyKindSucceeds();
      await world.during('both keys are accepted', () => take(STEPS.accepting, '-next'));
      await world.during('the new key seals', () => take(STEPS.changed, '-back'));
      await world.during('what is stored is sealed anew', async () => {
        await operator.succeeding(STEPS.changed, 'admin', 'rotate-master-key');
        return null;
      });
      await world.during('the old key is forgotten', () => take(STEPS.after, '-again'));
      const { lost, double, repeatedModelCalls } = await world.settle();
      printTable(world.outcomes, { lost, double, repeatedModelCalls });
      expect(
        world.outcomes.flatMap(({ scenario, failures }) => failures.map((each) => `${scenario}: ${each}`)),
      ).toEqual([]);
      expect({ lost, double, repeatedModelCalls }).toEqual({ lost: [], double: [], repeatedModelCalls: [] });
      await operator.succeeding(STEPS.after, 'admin', 'rotate-master-key', '--check');
    },
    LIMIT_MS,
  );
});
