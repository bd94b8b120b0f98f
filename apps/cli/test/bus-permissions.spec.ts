import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node';
import { servedBy } from '@signalbox/bus';
import {
  type Consumption,
  CONTRACTS,
  SCRIPT_REPLIES,
  scripts,
  SERVICE_CONTRACTS,
  SERVICES,
} from '@signalbox/contracts';
import { type NatsServer, startNats } from '@signalbox/servers';
import { natsUsers } from '../src/launcher/nats-users.js';

const MASTER_KEY = 'a-master-key-that-only-this-test-ever-uses';
const NAMES = SERVICES.map(({ name }) => name);

const calls = [...CONTRACTS, ...SERVICE_CONTRACTS].flatMap((contract) =>
  Object.values(contract.endpoints).map(({ name }) => ({ name, contract: contract.name })),
);
const events = SERVICES.flatMap(({ name, events }) =>
  Object.keys(events?.declared ?? {}).map((event) => ({ subject: `events.1.${event}`, owner: name })),
);
const consumers = SERVICES.flatMap(({ name, consumes }) => consumes.map((each) => ({ ...each, owner: name })));
const callsOf = (sender: string): string[] => calls.map(({ name, contract }) => `rpc.${sender}.${contract}.${name}`);
const inbox = (of: string, callee: string): string => `_INBOX.${of}.${callee}.x`;
const presence = (name: string): string => `presence.${name}.x`;
const ownedBy = (name: string): string[] => [`work.${name}.kind`, `live.${name}.1.2`];
const scriptReply = `${SCRIPT_REPLIES}.process.execution.1`;
const STREAMS = ['EVENTS', 'AUDIT'];
const usesOf = (stream: string, durable: string): string[] => [
  `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  `$JS.ACK.${stream}.${durable}.1.1.1.1.0`,
];
const deleting = (stream: string, durable: string): string => `$JS.API.CONSUMER.DELETE.${stream}.${durable}`;
const creating = (stream: string, { durable, filter }: Consumption): string =>
  `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${filter}`;
/** The audit log is read in its stream and, where an older release stored it, in the event stream. */
const ownConsumer = (own: Consumption): string[] =>
  own.filter.startsWith('audit.')
    ? [
        creating('AUDIT', own),
        ...usesOf('AUDIT', own.durable),
        ...usesOf('EVENTS', own.durable),
        deleting('EVENTS', own.durable),
      ]
    : [
        creating('EVENTS', own),
        // A consumer of all events may be narrowed to some.
        ...(own.filter === 'events.>' ? [creating('EVENTS', { ...own, filter: 'events.*.api_key.created' })] : []),
        ...usesOf('EVENTS', own.durable),
      ];
const configuring = STREAMS.flatMap((stream) => [`$JS.API.STREAM.CREATE.${stream}`, `$JS.API.STREAM.UPDATE.${stream}`]);
const informing = STREAMS.map((stream) => `$JS.API.STREAM.INFO.${stream}`);
/** Subjects that create a consumer without its filter: no service may use them, not even for its own consumers. */
const anyConsumer = ({ durable, filter }: Consumption): string[] =>
  STREAMS.flatMap((stream) => [
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.>`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}.events.*.api_key.created`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${durable}`,
    creating(stream, { durable, filter }),
    ...usesOf(stream, durable),
    deleting(stream, durable),
  ]);
const forbidden = [
  'broadcast.other',
  'events.1.invented',
  'audit.1',
  'audit.1.nobody',
  'rpc.companies.getCompany',
  'rpc.nobody.companies.getCompany',
  '_INBOX.gateway.x',
  '$JS.API.STREAM.DELETE.EVENTS',
  '$JS.API.STREAM.PURGE.EVENTS',
  '$JS.API.STREAM.DELETE.AUDIT',
  '$JS.API.STREAM.PURGE.AUDIT',
  '$JS.API.STREAM.MSG.GET.AUDIT',
  '$JS.API.STREAM.CREATE.OTHER',
  '$JS.API.CONSUMER.CREATE.EVENTS',
  '$JS.API.CONSUMER.CREATE.EVENTS.other.audit.>',
  '$JS.API.STREAM.MSG.GET.EVENTS',
  '$SYS.REQ.SERVER.PING',
  'anything',
];
const everything = [
  ...new Set([
    ...NAMES.flatMap(callsOf),
    ...events.map(({ subject }) => subject),
    ...NAMES.flatMap(ownedBy),
    ...NAMES.map(presence),
    ...NAMES.flatMap((of) => NAMES.map((callee) => inbox(of, callee))),
    ...NAMES.map((name) => `audit.1.${name}`),
    ...consumers.flatMap(ownConsumer),
    ...consumers.flatMap(anyConsumer),
    ...configuring,
    ...informing,
    'broadcast.keys',
    'broadcast.limits',
    scriptReply,
    ...forbidden,
  ]),
];

/** The subjects that a service may publish to, computed from the declarations, independently of the code under test. */
function mayPublish(name: string): Set<string> {
  const service = SERVICES.find((each) => each.name === name)!;
  const callable = new Set(service.calls.map((contract) => contract.name));
  return new Set([
    ...calls
      .filter(({ contract }) => callable.has(contract))
      .map((each) => `rpc.${name}.${each.contract}.${each.name}`),
    ...events.filter(({ owner }) => owner === name).map(({ subject }) => subject),
    ...(service.database ? [`audit.1.${name}`, ...ownedBy(name), ...informing] : []),
    ...consumers.filter(({ owner }) => owner === name).flatMap(ownConsumer),
    ...(['gateway', 'completions'].includes(name) ? ['broadcast.limits'] : []),
    ...(name === 'accounts' ? ['broadcast.keys', ...configuring, '$JS.API.STREAM.MSG.GET.EVENTS'] : []),
    ...service.calls.map((contract) => presence(contract.service)),
    // Replies to the host calls of scripts come from the services that execute them.
    ...(service.calls.includes(scripts) ? [scriptReply] : []),
    // Replies, and the chunks of long ones, go to the inboxes that callers reserve for this service.
    ...SERVICES.filter((each) => each.calls.some((contract) => contract.service === name)).map((each) =>
      inbox(each.name, name),
    ),
  ]);
}

function mayHear(name: string): Set<string> {
  const served = new Set(servedBy(name).map((contract) => contract.name));
  const subjects = NAMES.flatMap((sender) =>
    calls.filter(({ contract }) => served.has(contract)).map((each) => `rpc.${sender}.${each.contract}.${each.name}`),
  );
  return new Set([
    ...subjects,
    ...['rpc.nobody.companies.getCompany'].filter(() => served.has('companies')),
    ...(served.size > 0 ? [presence(name)] : []),
    ...NAMES.map((callee) => inbox(name, callee)),
    ...(['gateway', 'completions'].includes(name) ? ['broadcast.keys', 'broadcast.limits'] : []),
    ...['_INBOX.gateway.x'].filter(() => name === 'gateway'),
    ...(SERVICES.find((each) => each.name === name)!.database ? ownedBy(name) : []),
    ...(name === 'gateway' ? NAMES.map((each) => `live.${each}.1.2`) : []),
    ...(name === 'gateway' ? [...events.map(({ subject }) => subject), 'events.1.invented'] : []),
    ...(name === 'runner' ? [scriptReply] : []),
  ]);
}

let directory: string;
let server: NatsServer;
const users = natsUsers({ current: MASTER_KEY, next: null, previous: null });
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
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

const enter = (user?: string, pass?: string): Promise<NatsConnection> =>
  connect({ servers: `127.0.0.1:${server.port}`, user, pass, reconnect: false });

const AT_ONCE = 100;

/** Every subject that the server refused to this user, by the kind of the refusal. */
async function refusals(name: string): Promise<{ publish: string[]; subscription: string[] }> {
  // Each refusal is an error, and the traces of 60,000 stacks cost more than the refusals.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const nats = await enter(name, passwordOf(name));
  const refused = { publish: [] as string[], subscription: [] as string[] };
  const watching = (async () => {
    for await (const status of nats.status()) {
      if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue;
      refused[status.error.operation].push(status.error.subject);
    }
  })();
  for (const subject of everything) nats.publish(subject, '{}');
  await nats.flush();
  // For each refusal the client looks through all of its subscriptions, so they are few at a time.
  for (let at = 0; at < everything.length; at += AT_ONCE) {
    const subscriptions = everything
      .slice(at, at + AT_ONCE)
      .map((subject) => nats.subscribe(subject, { callback: () => undefined }));
    await nats.flush();
    for (const each of subscriptions) each.unsubscribe();
  }
  await nats.close();
  await watching;
  Error.stackTraceLimit = stackTraceLimit;
  return refused;
}

const without = (allowed: Set<string>): string[] => everything.filter((subject) => !allowed.has(subject)).sort();

describe('the bus', () => {
  it.each(NAMES)('lets %s publish and receive what it declared, and nothing else', async (name) => {
    const refused = await refusals(name);
    expect([...new Set(refused.publish)].sort()).toEqual(without(mayPublish(name)));
    expect([...new Set(refused.subscription)].sort()).toEqual(without(mayHear(name)));
    expect(refused.publish.length).toBeGreaterThan(20);
  });

  it('carries a reply to the caller', async () => {
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
    accounts!.subscribe('rpc.*.companies.*', { callback: (_error, message) => void message.respond('yes') });
    const reply = new Promise<string>((resolve) => {
      gateway!.subscribe('_INBOX.gateway.>', { callback: (_error, message) => resolve(message.string()) });
    });
    await Promise.all([accounts!.flush(), gateway!.flush()]);
    gateway!.publish('rpc.gateway.companies.getCompany', '', { reply: '_INBOX.gateway.accounts.1' });
    expect(await reply).toBe('yes');
    await Promise.all([gateway!.close(), accounts!.close()]);
  });

  it('compares the created consumer with the subject it is created under', async () => {
    const [agents, accounts] = await Promise.all(
      ['agents', 'accounts'].map((name) =>
        connect({
          servers: `127.0.0.1:${server.port}`,
          user: name,
          pass: passwordOf(name),
          inboxPrefix: `_INBOX.${name}`,
        }),
      ),
    );
    const subjects = ['events.>', 'audit.>'];
    const stream = {
      name: 'EVENTS',
      subjects,
      storage: 'memory',
      retention: 'limits',
      discard: 'old',
      num_replicas: 1,
    };
    const made = await accounts!.request('$JS.API.STREAM.CREATE.EVENTS', JSON.stringify(stream));
    expect(made.json()).not.toHaveProperty('error');
    const { durable, filter } = consumers.find(({ owner }) => owner === 'agents')!;
    const create = async (change: object): Promise<{ config?: Record<string, unknown>; error?: object }> => {
      const config = {
        durable_name: durable,
        name: durable,
        filter_subject: filter,
        ack_policy: 'explicit',
        ...change,
      };
      const request = JSON.stringify({ stream_name: 'EVENTS', config, action: '' });
      return (await agents!.request(`$JS.API.CONSUMER.CREATE.EVENTS.${durable}.${filter}`, request)).json();
    };
    for (const change of [
      { filter_subject: 'audit.>' },
      { filter_subject: undefined, filter_subjects: ['audit.>'] },
      { filter_subjects: ['audit.>'] },
      { filter_subject: undefined },
      { durable_name: 'accounts-audit-log', name: 'accounts-audit-log' },
    ]) {
      // Refused, or, by a server that ignores the field, created with the one filter all the same.
      const { config, error } = await create(change);
      const { durable_name, filter_subject, filter_subjects } = config ?? {};
      const made = { durable_name, filter_subject, filter_subjects };
      expect(error ?? made).toEqual(error ?? { durable_name: durable, filter_subject: filter });
    }
    expect(await create({ filter_subject: 'audit.>' })).toHaveProperty('error');
    expect(await create({})).not.toHaveProperty('error');
    await Promise.all([agents!.close(), accounts!.close()]);
  });

  it.each([
    ['nobody', undefined, undefined],
    ['a stranger', 'stranger', 'x'],
    ['a wrong password', 'gateway', 'x'],
    ["another's password", 'gateway', passwordOf('accounts')],
  ])('refuses %s', async (_who, user, pass) => {
    await expect(enter(user, pass)).rejects.toThrow(/authoriz/i);
  });
});
