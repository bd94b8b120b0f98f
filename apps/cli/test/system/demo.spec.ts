/// <reference lib="dom" />
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, CompanyRow, Webhook, WebhookDelivery } from '@signalbox/contracts';
import { ApiClient, timeScale } from '@signalbox/testing';
import { browserPath, launch } from '@signalbox/testing/browser';
import { FixturePlatform } from './fixture-platform.js';
import { ROOT } from '../manifests.js';

interface Outcome {
  code: number | null;
  output: string;
}

/** Interrupts the command once it has written `until`. */
function signalbox(words: string[], dataDir: string, until?: string): Promise<Outcome> {
  const bin = join(ROOT, 'apps/cli/bin/signalbox.mjs');
  const child = spawn(process.execPath, [bin, ...words], { env: { DATA_DIR: dataDir } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (until !== undefined && !child.killed && output.includes(until)) child.kill('SIGINT');
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

/** From the printed link to the first answer, on a quiet machine. */
const FIRST_ANSWER_SECONDS = 60;

/** What a second demo finds again; how many there are of each. */
const ONCE = {
  ...{ tags: 1, 'tags/rules': 1, datasets: 2, compositions: 1, 'finetune-runs': 1 },
  ...{ webhooks: 1, workflows: 1, 'mcp-servers': 1 },
};

/** Lists of pages that show another one at first. */
const TABS = ['/runs?kind=Requests', '/runs?kind=Workflows', '/reports?report=Fallbacks'];

const chromium = browserPath();
const inBrowser = chromium === null && process.env.CI !== 'true' ? it.skip : it;

describe('the demo', () => {
  let platform: FixturePlatform;
  const get = async <T>(path: string): Promise<T> => {
    const key = (await readFile(join(platform.dataDir, 'admin-key'), 'utf8')).trim();
    const { base_url: url } = await platform.endpoints();
    return new ApiClient(url, key).data('GET', path);
  };

  beforeAll(async () => {
    const agents = ['agents', 'agents-worker'];
    const services = [
      'gateway',
      'accounts',
      'traffic',
      ...agents,
      'workflows',
      'runner',
      'monitors',
      'test-runs',
      'training',
    ];
    platform = await FixturePlatform.real(services);
    await platform.start();
  }, 180_000);
  afterAll(() => platform.remove(), 40_000);

  inBrowser(
    'is reached by the link that the start has printed: at most six clicks and a minute to an answer of a new agent',
    async () => {
      const printed = /(http\S+\/sign-in#t=\S+)\s/;
      // It comes after the line that says that the platform is ready.
      await platform.until(() => printed.test(platform.output), 60_000);
      const [, link] = printed.exec(platform.output) ?? [];
      const browser = await launch(chromium ?? '');
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(60_000 * timeScale());
        const began = Date.now();
        // Kept in the tab: the sign-in loads another document.
        await page.addInitScript(() => {
          const counted = (): void =>
            sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? 0) + 1));
          document.addEventListener('click', ({ detail }) => detail > 0 && counted(), true);
        });
        await page.goto(link ?? '');
        await page.getByRole('button', { name: 'Answer from a prompt' }).click();
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('First');
        await page.getByRole('button', { name: 'Make it' }).click();
        await page.getByRole('button', { name: /^Send/ }).click();
        await page.getByText('[simulated] hello').waitFor();
        const clicks = Number(await page.evaluate(() => sessionStorage.getItem('clicks')));
        const seconds = (Date.now() - began) / 1000;
        console.log(`from the printed link to an answer: ${clicks} clicks, ${seconds.toFixed(1)} s`);
        expect(clicks).toBeGreaterThan(0);
        expect(clicks).toBeLessThanOrEqual(6);
        expect(seconds).toBeLessThanOrEqual(FIRST_ANSWER_SECONDS * timeScale());
      } finally {
        await browser.close();
      }
    },
    180_000,
  );

  it('has metrics of the gateway at the address that its endpoints name', async () => {
    const { health_url, base_url } = await platform.endpoints();
    const reply = await fetch(`${health_url}/metrics`);
    expect([reply.status, await reply.text()]).toEqual([
      200,
      expect.stringContaining('signalbox_http_request_seconds'),
    ]);
    expect((await fetch(new URL('/metrics', base_url))).status).toBe(404);
  });

  it('runs the main job, twice in a row, with the built-in model alone', async () => {
    const first = await signalbox(['demo'], platform.dataDir);
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('The demo is complete.') as string });
    expect(first.output).toContain('created agent');
    for (const line of ['"status":"SHIPPED"', 'a rule sends it to', 'called a sub-agent', 'waits for its callback'])
      expect(first.output).toContain(line);
    expect(first.output).toContain('"booked_for":"Friday, 9 to 12"');
    expect(first.output).toContain('FAULT (the answer only echoes the question); the caller received the correction');
    expect(first.output).toContain('release gate: no test run matches');
    expect(first.output).toContain('the gate lets it pass');
    expect(first.output).toMatch(/test runs \d+ and \d+: 10 and 0 match/);
    for (const line of ['may move: it is held back', 'is open', 'found 1 faults', 'find_parcel and open_claim'])
      expect(first.output).toContain(line);
    for (const line of [
      'is WAITING_WEBHOOK',
      'has answered (provider_failed)',
      'is FAILED (provider)',
      'is COMPLETED: ft:simulated-echo:',
    ])
      expect(first.output).toContain(line);
    expect(first.output).toMatch(/run \S+ is COMPLETED, run \S+ is FAILED/);
    expect(first.output).toMatch(/tag run \d+ has tagged [1-9]\d* of \d+ requests/);
    expect(first.output).toMatch(/agent \d+ has appeared, version 2\.3\.0/);
    expect(first.output).toMatch(/test run \d+: 3 of 3 match/);
    expect(first.output.trim().split('\n').at(-1)).toMatch(/\/sign-in\?next=%2Fc%2F\d+%2Freleases#t=\S{43}$/);
    expect(first.output.match(/agent_task\.completed of task \S+ \(its signature is right\)/g)).toHaveLength(3);
    expect(first.output).toMatch(/^id +status +trigger +duration_ms\n(\S+ +COMPLETED +API +\d+\n){3}/m);
    expect(first.output).toContain('has printed them and ended with 0');
    const second = await signalbox(['demo'], platform.dataDir);
    expect(second).toMatchObject({ code: 0, output: expect.stringContaining('The demo is complete.') as string });
    expect(first.output).toContain('3 new items, 0 known, 3 in all');
    expect(second.output).toContain('3 new items, 0 known, 6 in all');
    expect(second.output).toContain('found agent');
    expect(second.output).toContain('the caller received the correction');
    expect(second.output).toContain('which equals the draft');
    expect(await get('/monitors/alerts?status=open')).toHaveLength(1);
    expect(await get('/agents/tasks?status=WAITING_WEBHOOK')).toHaveLength(1);
    expect(await get('/agents/tasks?status=FAILED')).toHaveLength(1);
    const counts = await Promise.all(
      Object.keys(ONCE).map(async (family) => [family, (await get<object[]>(`/${family}`)).length]),
    );
    expect(Object.fromEntries(counts)).toEqual(ONCE);
    const [webhook] = await get<Webhook[]>('/webhooks');
    const deliveries = await get<WebhookDelivery[]>(`/webhooks/${webhook?.id}/deliveries`);
    expect(webhook?.enabled).toBe(false);
    // One of a sub-agent can be on its way when the webhook is switched off.
    expect(deliveries.filter(({ status }) => status === 'SUCCEEDED').length).toBeGreaterThanOrEqual(6);
    const [desk] = (await get<Agent[]>('/agents?search=Order')).filter(({ agent_name }) =>
      agent_name.startsWith('Order'),
    );
    const agent = await get<Agent>(`/agents/${desk?.id}`);
    expect(agent.actions.map(({ action_type }) => action_type).sort()).toEqual(['api', 'llm', 'webhook']);
    expect(agent.routing.rules.map(({ label }) => label)).toEqual(['returns', 'courier']);
    const tasks = await get<{ status: string }[]>(`/agents/${agent.id}/tasks`);
    expect(tasks.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'COMPLETED'));
  }, 240_000);

  inBrowser(
    'leaves something to look at on every page of the portal',
    async () => {
      const key = (await readFile(join(platform.dataDir, 'admin-key'), 'utf8')).trim();
      const { origin } = new URL((await platform.endpoints()).base_url);
      const browser = await launch(chromium ?? '');
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(60_000 * timeScale());
        await page.goto(`${origin}/sign-in`);
        await page.getByLabel('API key').fill(key);
        await page.keyboard.press('Enter');
        const rail = page.getByRole('navigation').getByRole('link');
        await rail.first().waitFor();
        const home = page.url().replace(/\/$/, '');
        const paths = await rail.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
        expect(paths.length).toBeGreaterThan(30);
        for (const url of [...paths.map((path) => origin + path), ...TABS.map((path) => home + path)]) {
          await page.goto(url);
          await page.getByRole('heading', { level: 1 }).first().waitFor();
          await page.waitForFunction(() => !document.body.innerText.includes('Loading …'));
          expect([url, await page.locator('.empty').allInnerTexts()]).toEqual([url, []]);
        }
      } finally {
        await browser.close();
      }
    },
    240_000,
  );

  it('uploads and runs the example workflows, twice in a row, with the built-in model alone', async () => {
    const first = await signalbox(['demo', 'workflows'], platform.dataDir);
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('The demo is complete.') as string });
    expect(first.output.match(/It is COMPLETED/g)).toHaveLength(5);
    for (const line of ['in javascript', 'in typescript', 'in python', '"decision":"escalated"', 'step', 'child_run'])
      expect(first.output).toContain(line);
    expect(first.output).toMatch(/artifact: reports\/2026-11-21\.md, \d+ bytes/);
    expect(first.output.match(/is new, version 1\.0\.0/g)).toHaveLength(5);
    const second = await signalbox(['demo', 'workflows'], platform.dataDir);
    expect(second).toMatchObject({ code: 0, output: expect.stringContaining('The demo is complete.') as string });
    expect(second.output.match(/was found, version 1\.0\.0/g)).toHaveLength(5);
  }, 240_000);

  it('takes back what it has allowed when it is interrupted', async () => {
    const told = 'A webhook that reports each completed task';
    const { code, output } = await signalbox(['demo'], platform.dataDir, told);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('stopped') as string });
    const { output: companies } = await signalbox(['admin', 'list-companies'], platform.dataDir);
    expect((JSON.parse(companies) as CompanyRow[])[0]?.egress_allow).toEqual([]);
    expect((await get<Webhook[]>('/webhooks')).map(({ enabled }) => enabled)).toEqual([false]);
  }, 120_000);

  it('of an unknown name names those that exist', async () => {
    const { code, output } = await signalbox(['demo', 'workflow'], platform.dataDir);
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('"workflows"') as string });
  });

  it('removes the permission to call its system', async () => {
    const { output } = await signalbox(['admin', 'list-companies'], platform.dataDir);
    expect((JSON.parse(output) as CompanyRow[])[0]?.egress_allow).toEqual([]);
  });
});
