import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { applications, tags } from '@signalbox/contracts';
import { AuthenticationError, createClient, type Signalbox } from '@signalbox/sdk';
import { freePort } from '@signalbox/servers';
import {
  Balancer,
  eventually,
  Platform,
  rollingRestart,
  ROOT,
  startReplicas,
  type TestCompany,
} from '@signalbox/testing';

let platform: Platform;
let balancer: Balancer;
let url: string;
let company: TestCompany;
let admin: Signalbox;
let reader: { id: number; key: string };
const children: ChildProcess[] = [];

beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic']);
  const port = await freePort();
  balancer = await Balancer.listen(port, { '': 'gateways' });
  url = `http://127.0.0.1:${port}/api/v1`;
  await startReplicas(platform, 'gateway', 2, (label) => balancer.add('gateways', label));
  await eventually('both gateways are ready', () => balancer.ready('gateways').length === 2);
  company = await platform.company();
  admin = createClient({ apiKey: company.key, baseUrl: url });
  reader = (await admin.apiKeys.create({ name: 'reader', scopes: ['read'] })) as typeof reader;
}, 120_000);
afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'));
  await balancer?.close();
  await platform?.stop();
});

/** A reader of the stream of new tags or applications: the names it has received, and how it ended. */
interface Reader {
  names: string[];
  ended: Promise<unknown>;
}

function sdkReader(event: string, opened: () => void = () => undefined): Reader {
  const names: string[] = [];
  const client = createClient({
    apiKey: reader.key,
    baseUrl: url,
    fetch: async (...call) => {
      const response = await fetch(...call);
      opened();
      return response;
    },
  });
  const read = async (): Promise<void> => {
    for await (const each of client.webhooks.streamEvents({ events: [event] })) {
      const { tag_name, application_name } = each.data as Record<string, string>;
      names.push(tag_name ?? application_name ?? '');
    }
  };
  return { names, ended: read().catch((error: unknown) => error) };
}

/** A program that prints an event in each line; ends with its exit code and its errors. */
function programReader(program: string, words: string[], env: NodeJS.ProcessEnv): Reader {
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH, SIGNALBOX_API_KEY: reader.key, SIGNALBOX_URL: url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const names: string[] = [];
  let [out, errors] = ['', ''];
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  child.stdout.on('data', (text: Buffer) => {
    out += text.toString();
    const lines = out.split('\n');
    out = lines.pop() ?? '';
    names.push(...lines.map((line) => (JSON.parse(line) as { data: { tag_name: string } }).data.tag_name));
  });
  return { names, ended: new Promise((resolve) => child.once('exit', (code) => resolve([code, errors]))) };
}

/** A tag and an application, without a gateway. */
async function create(name: string): Promise<void> {
  const caller = platform.caller(company.companyId);
  await platform.bus.call(tags.endpoints.createTag, { tag_name: name } as never, caller);
  await platform.bus.call(applications.endpoints.createApplication, { application_name: name } as never, caller);
  await eventually('the events are published', async () => {
    const { rows } = await platform.sql.query('SELECT 1 FROM traffic.outbox WHERE sent_at IS NULL');
    return rows.length === 0;
  });
}

const PYTHON = `import json, signalbox
for event in signalbox.Client().webhooks.stream_events(events=["tag.created"]):
    print(json.dumps(event), flush=True)`;

it('continue over a rolling restart in a quiet minute, and end with the key', async () => {
  const cli = ['webhooks', 'stream-events', '--events', 'tag.created', '--json'];
  const inPython = { PYTHONPATH: join(ROOT, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
  const readers = {
    sdk: sdkReader('tag.created'),
    cli: programReader(process.execPath, [join(ROOT, 'apps/cli/bin/signalbox.mjs'), ...cli], {}),
    python: programReader('python3', ['-c', PYTHON], inPython),
  };
  const all = Object.values(readers);
  let opened = 0;
  // This one receives nothing before the restart.
  const silent = sdkReader('application.created', () => opened++);
  await eventually('the silent stream is open', () => opened > 0);
  let made = 0;
  await eventually('every stream is open', async () => {
    await admin.tags.create({ tag_name: `first ${made++}` });
    return all.every(({ names }) => names.length > 0);
  });
  await eventually('every stream has reached the last tag', () =>
    all.every(({ names }) => names.at(-1) === `first ${made - 1}`),
  );
  const before = all.map(({ names }) => names.length);

  await rollingRestart(platform, 'gateway', ['gateway-1', 'gateway-2'], {
    env: (label) => balancer.add('gateways', label),
  });
  // The next events happen while no stream is open.
  await Promise.all(['gateway-1-next', 'gateway-2-next'].map((label) => platform.service(label).kill('SIGTERM')));
  await create('after');
  await platform.startService('gateway', 'gateway-3', await balancer.add('gateways', 'gateway-3'));
  await eventually('every stream has the event after the restart', () =>
    [...all, silent].every(({ names }) => names.at(-1) === 'after'),
  );
  await create('last');
  await eventually('every stream continues', () => [...all, silent].every(({ names }) => names.at(-1) === 'last'));
  expect(all.map(({ names }) => names.length)).toEqual(before.map((count) => count + 2));
  expect(silent.names).toEqual(['after', 'last']);

  await admin.apiKeys.revoke({ api_key_id: reader.id });
  expect(await readers.sdk.ended).toBeInstanceOf(AuthenticationError);
  expect(await silent.ended).toBeInstanceOf(AuthenticationError);
  expect(await readers.cli.ended).toEqual([3, expect.stringContaining('the key was revoked or has expired (401')]);
  expect(await readers.python.ended).toEqual([1, expect.stringContaining('AuthenticationError: the key was revoked')]);
}, 240_000);
