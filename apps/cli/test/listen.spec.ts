import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Signalbox, verifyWebhook } from '@signalbox/sdk';
import { eventually, type HttpTarget, Platform, startHttpTarget, type TestCompany } from '@signalbox/testing';
import { type Running, startCommand } from './command-line.js';

const SECRET = 'whs_of_the_listener';

let platform: Platform;
let company: TestCompany;
let client: Signalbox;
let target: HttpTarget;
let folder: string;
let running: Running | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listen-'));
  target = await startHttpTarget();
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'test-runs', 'gateway']);
  company = await platform.company();
  client = createClient({ apiKey: company.key, baseUrl: platform.baseUrl });
}, 120_000);
afterEach(() => void running?.child.kill('SIGKILL'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform.stop();
  await target.close();
});

function listen(words: string[], env: Record<string, string> = { SIGNALBOX_WEBHOOK_SECRET: SECRET }): Running {
  const environment = { SIGNALBOX_API_KEY: company.key, SIGNALBOX_URL: platform.baseUrl, XDG_CONFIG_HOME: folder };
  running = startCommand(['listen', '--forward-to', `${target.url}/events`, ...words], folder, {
    ...environment,
    ...env,
  });
  return running;
}

/** Makes tags until a call of a program that has just begun to listen arrives. */
async function untilCalled(): Promise<void> {
  for (let at = 0; target.calls.length === 0; at++) {
    await client.tags.create({ tag_name: `heard ${at} ${Math.random()}` });
    await client.tags.list({ limit: 1 });
  }
}

interface Printed {
  id: number;
  event: string;
  status: number | null;
}
const printed = ({ written }: Running): Printed[] =>
  written.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Printed);

describe('signalbox listen', () => {
  it('sends events as webhooks do, says what became of each, and ends without a trace', async () => {
    let status = 204;
    target.answerWith(() => ({ status }));
    const listening = listen(['--events', 'tag.*', '--json']);
    await untilCalled();
    status = 500;
    const { id } = await client.tags.create({ tag_name: 'refused' });
    await eventually('the call for the tag is made', () =>
      target.calls.find(({ body }) => body.includes(`"id":${id}`)),
    );
    await eventually('the failed call is printed', () => printed(listening).find((call) => call.status === 500));
    listening.child.kill('SIGINT');
    const { code, stderr } = await listening.ended;
    expect(code).toBe(0);
    // Events of tags that were made before the first call may have come after it.
    const call = target.calls.find(({ body }) => body.includes(`"id":${id}`))!;
    expect(call).toMatchObject({
      method: 'POST',
      path: '/events',
      headers: { 'x-service-event': 'tag.created', 'content-type': 'application/json' },
    });
    const event = await verifyWebhook(call.body, String(call.headers['x-service-signature']), SECRET);
    expect(event).toMatchObject({ event: 'tag.created', company_id: company.companyId, resource: { type: 'tag', id } });
    expect(Object.keys(event).sort()).toEqual(['company_id', 'data', 'event', 'event_id', 'occurred_at', 'resource']);
    expect(printed(listening)[0]).toMatchObject({ event: 'tag.created', status: 204 });
    expect(stderr).toContain(`--since ${printed(listening).at(-1)?.id} goes on`);
    expect((await client.webhooks.list()).data).toEqual([]);

    // What happens while nobody listens arrives later.
    await client.tags.create({ tag_name: 'missed' });
    target.calls.length = 0;
    const again = listen(['--events', 'tag.*', '--since', String(printed(listening).at(-1)?.id)], {});
    await eventually('the missed event arrives', () => target.calls.find(({ body }) => body.includes('"missed"')));
    expect(target.calls).toHaveLength(1);
    const secret = /signed with the secret (whs_\w+)/.exec(again.written.stderr)?.[1] ?? '';
    const [missed] = target.calls;
    await verifyWebhook(missed!.body, String(missed!.headers['x-service-signature']), secret);
    await eventually('it is printed', () =>
      /tag\.created {2}tag \d+ {2}FAILED .*status 500/.test(again.written.stdout),
    );
    again.child.kill('SIGTERM');
    expect((await again.ended).code).toBe(0);
  }, 90_000);

  it('ends when nobody reads what it prints', async () => {
    target.answerWith(() => ({ status: 204 }));
    target.calls.length = 0;
    const listening = listen(['--events', 'tag.*']);
    listening.child.stdout?.destroy();
    await untilCalled();
    const { code, stderr } = await listening.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/--since \d+ goes on/) as string });
  }, 60_000);

  it('ends when it is interrupted while it still connects', async () => {
    const silent = await startHttpTarget({ script: () => ({ hang: true }) });
    const listening = listen([], { SIGNALBOX_URL: silent.url });
    await eventually('it has called', () => silent.calls.length > 0);
    listening.child.kill('SIGINT');
    expect(await listening.ended).toEqual({ code: 0, stdout: '', stderr: '' });
    await silent.close();
  }, 30_000);

  it('says which words are wrong', async () => {
    const cases: [string[], string][] = [
      [['--forward-to', 'ftp://x'], 'must be an address'],
      [['--since', 'x'], '--since must be the id of an event'],
      [['--evnts', 'x'], "Unknown option '--evnts'"],
    ];
    for (const [words, message] of cases)
      expect(await listen(words).ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
    const refused = await listen([], { SIGNALBOX_API_KEY: 'svk_wrong' }).ended;
    expect(refused.code).toBe(3);
  });
});
