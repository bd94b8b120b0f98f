import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node';
import { CONTRACTS, HEALTH, servedBy, SERVICES } from '@signalbox/contracts';
import { type NatsServer, startNats } from '@signalbox/servers';
import { natsUsers } from '../src/launcher/nats-users.js';

const MASTER_KEY = 'a-master-key-that-only-this-test-ever-uses';
const NAMES = SERVICES.map(({ name }) => name);

const calls = [...CONTRACTS, ...HEALTH].flatMap((contract) =>
  Object.values(contract.endpoints).map(({ subject }) => ({ subject, contract: contract.name })),
);
const events = SERVICES.flatMap(({ name, events }) =>
  Object.keys(events?.declared ?? {}).map((event) => ({ subject: `events.1.${event}`, owner: name })),
);
const ownedBy = (name: string): string[] => [`work.${name}.kind`, `live.${name}.1.2`, `_INBOX.${name}.x`];
const nobodys = [
  'cast.other',
  'events.1.invented',
  '$JS.API.STREAM.DELETE.EVENTS',
  '$JS.API.STREAM.PURGE.EVENTS',
  '$JS.API.STREAM.CREATE.OTHER',
  '$JS.API.CONSUMER.DELETE.EVENTS.audit',
  '$JS.API.STREAM.MSG.GET.EVENTS',
  '$SYS.REQ.SERVER.PING',
  'anything',
];
const everything = [
  ...calls.map(({ subject }) => subject),
  ...events.map(({ subject }) => subject),
  ...NAMES.flatMap(ownedBy),
  'audit.1',
  'cast.keys',
  ...nobodys,
];

/** What a service may say, told from the declarations alone and not from the code that makes the permissions. */
function maySay(name: string): Set<string> {
  const service = SERVICES.find((each) => each.name === name)!;
  const callable = new Set(service.calls.map((contract) => contract.name));
  return new Set([
    ...calls.filter(({ contract }) => callable.has(contract)).map(({ subject }) => subject),
    ...events.filter(({ owner }) => owner === name).map(({ subject }) => subject),
    ...(service.database ? ['audit.1', `work.${name}.kind`, `live.${name}.1.2`] : []),
    ...(name === 'accounts' ? ['cast.keys'] : []),
    // Replies, and the pieces of long ones, go to the inboxes of those who may call.
    ...SERVICES.filter((each) => each.calls.some((contract) => contract.service === name)).map(
      (each) => `_INBOX.${each.name}.x`,
    ),
  ]);
}

function mayHear(name: string): Set<string> {
  const served = new Set(servedBy(name).map((contract) => contract.name));
  return new Set([
    ...calls.filter(({ contract }) => served.has(contract)).map(({ subject }) => subject),
    `_INBOX.${name}.x`,
    ...(SERVICES.find((each) => each.name === name)!.database ? [`work.${name}.kind`, `live.${name}.1.2`] : []),
    ...(name === 'gateway' ? ['cast.keys', ...NAMES.map((each) => `live.${each}.1.2`)] : []),
  ]);
}

let directory: string;
let server: NatsServer;
const users = natsUsers(MASTER_KEY);
const passwordOf = (name: string): string => users.find(({ user }) => user === name)?.password ?? '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bus-permissions-'));
  server = await startNats({
    storeDir: join(directory, 'store'),
    configFile: join(directory, 'nats.conf'),
    logFile: join(directory, 'nats.log'),
    users,
    search: { path: process.env.PATH },
  });
}, 30_000);
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

const enter = (user?: string, pass?: string): Promise<NatsConnection> =>
  connect({ servers: `127.0.0.1:${server.port}`, user, pass, reconnect: false });

/** Every subject the server refused to this user, by what it was refused for. */
async function refusals(name: string): Promise<{ publish: string[]; subscription: string[] }> {
  const nats = await enter(name, passwordOf(name));
  const refused = { publish: [] as string[], subscription: [] as string[] };
  const watching = (async () => {
    for await (const status of nats.status()) {
      if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue;
      refused[status.error.operation].push(status.error.subject);
    }
  })();
  for (const subject of everything) {
    nats.publish(subject, '{}');
    nats.subscribe(subject, { callback: () => undefined });
  }
  await nats.flush();
  await nats.close();
  await watching;
  return refused;
}

const without = (allowed: Set<string>): string[] => everything.filter((subject) => !allowed.has(subject)).sort();

describe('the bus', () => {
  it.each(NAMES)('lets %s say and hear what it declared, and nothing else', async (name) => {
    const refused = await refusals(name);
    expect([...new Set(refused.publish)].sort()).toEqual(without(maySay(name)));
    expect([...new Set(refused.subscription)].sort()).toEqual(without(mayHear(name)));
    expect(refused.publish.length).toBeGreaterThan(20);
  });

  it('lets a service answer the one who asked, and only him', async () => {
    const [gateway, accounts] = await Promise.all(
      ['gateway', 'accounts'].map((name) =>
        connect({
          servers: `127.0.0.1:${server.port}`,
          user: name,
          pass: passwordOf(name),
          inboxPrefix: `_INBOX.${name}`,
        }),
      ),
    );
    accounts!.subscribe('rpc.companies.*', { callback: (_error, message) => void message.respond('yes') });
    await accounts!.flush();
    expect((await gateway!.request('rpc.companies.getCompany')).string()).toBe('yes');
    await Promise.all([gateway!.close(), accounts!.close()]);
  });

  it.each([
    ['nobody', undefined, undefined],
    ['a stranger', 'stranger', 'x'],
    ['a wrong password', 'gateway', 'x'],
    ["another's password", 'gateway', passwordOf('accounts')],
  ])('lets %s in never', async (_who, user, pass) => {
    await expect(enter(user, pass)).rejects.toThrow(/authoriz/i);
  });
});
