import { BusConnection } from '@signalbox/bus';
import { SecretBag } from '@signalbox/egress';
import { createLogger } from '@signalbox/platform';
import { serviceEnv, startServers, type TestServers } from '@signalbox/testing';
import { SecretExchange } from '../src/secrets/secret-exchange.js';
import { SecretHolder } from '../src/secrets/secret-holder.js';
import { SecretTransfer } from '../src/secrets/secret-transfer.js';
import { SuspendedRuns } from '../src/work/suspended-runs.js';

const logger = createLogger('agents', 'silent');

let servers: TestServers;
const buses: BusConnection[] = [];
beforeAll(async () => (servers = await startServers()), 60_000);
afterAll(async () => {
  await Promise.all(buses.map((bus) => bus.close()));
  await servers.stop();
});

/** A process of the service; one that accepts secrets takes over holder ids with `keep`. */
async function member(keep?: (holders: string[]) => Promise<void>) {
  const bus = await BusConnection.open(serviceEnv(servers, 'agents').NATS_URL ?? '', 'agents', logger);
  buses.push(bus);
  const secrets = new SecretHolder();
  const notifications = { onEnd: () => () => undefined };
  const transfer = new SecretTransfer(secrets, new SuspendedRuns(secrets, notifications, [], logger));
  const exchange = new SecretExchange(bus, secrets, transfer, logger);
  if (keep) exchange.startAccepting(keep);
  exchange.serve(secrets.id);
  await bus.nats.flush();
  return { secrets, exchange, as: () => ({ holder: secrets.id, public_key: exchange.publicKey ?? '' }) };
}

/** Secrets of so many bytes that each run is a separate part. */
const LONG = 'x'.repeat(200_000);

async function stopping() {
  const sender = await member();
  const runs = ['one', 'two', 'three'];
  for (const run of runs) sender.secrets.hold(run, new SecretBag({ TOKEN: `${LONG}${run}` }));
  const holds = (secrets: SecretHolder) => runs.filter((run) => secrets.of(run) !== undefined);
  return { ...sender, runs, holds, ids: [sender.secrets.id] };
}

describe('the secrets of a process that stops', () => {
  it('are held by the process that took them over, and by no other', async () => {
    const { exchange, secrets, runs, holds, ids } = await stopping();
    const taken: string[] = [];
    const receiver = await member((holders) => Promise.resolve(void taken.push(...holders)));
    expect(await exchange.transferTo(ids, receiver.as())).toBe(true);
    expect([holds(receiver.secrets), holds(secrets), taken]).toEqual([runs, [], ids]);
    expect(receiver.secrets.of('two')?.names()).toEqual(['TOKEN']);
  });

  it('are forgotten by a process that cannot take them over, and go to the next', async () => {
    const { exchange, runs, holds, ids } = await stopping();
    const first = await member(() => Promise.reject(new Error('no lease')));
    const second = await member(() => Promise.resolve());
    expect(await exchange.transferTo(ids, first.as())).toBe(false);
    expect(await exchange.transferTo(ids, second.as())).toBe(true);
    expect([holds(first.secrets), holds(second.secrets)]).toEqual([[], runs]);
  });

  it('are not held by a process that stops before all of them have arrived', async () => {
    const { exchange, runs, holds, secrets, ids } = await stopping();
    const receiver = await member(() => Promise.resolve());
    const to = receiver.as();
    receiver.exchange.stopAccepting();
    expect(await exchange.transferTo(ids, to)).toBe(false);
    expect([holds(receiver.secrets), holds(secrets)]).toEqual([[], runs]);
  });

  it('are offered to no other process once one was asked to take them over and does not reply', async () => {
    const { exchange, secrets, holds, ids } = await stopping();
    let release = (): void => undefined;
    const slow = await member(() => new Promise((resolve) => (release = resolve)));
    expect(await exchange.transferTo(ids, slow.as())).toBe(true);
    expect(holds(secrets)).toEqual([]);
    release();
  });
});
