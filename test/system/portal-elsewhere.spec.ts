/// <reference lib="dom" />
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Signalbox } from '@signalbox/sdk';
import { eventually, type ModelProvider, ROOT, startModelProvider } from '@signalbox/testing';
import { describePages, PortalSite } from './portal/site.js';

const run = promisify(execFile);
const ANSWER = 'Good morning.';
/** A client that is given nothing: where it calls and with which key stands in its variables. */
const OPENAI_PROGRAM = `import OpenAI from 'openai';
const messages = [{ role: 'user', content: 'Is this recorded?' }];
const { choices } = await new OpenAI().chat.completions.create({ model: 'simulated-echo', messages });
console.log(choices[0].message.content);`;

describePages('what the portal shows for agents that run elsewhere, run as it is shown', () => {
  let site: PortalSite;
  let models: ModelProvider;
  let api: Signalbox;
  let folder: string;
  beforeAll(async () => {
    models = await startModelProvider({ script: () => ANSWER });
    site = await PortalSite.start('Elsewhere');
    ({ api } = site);
    // Within the repository, so that the programs find their libraries.
    await mkdir(join(ROOT, '.cache'), { recursive: true });
    folder = await mkdtemp(join(ROOT, '.cache/elsewhere-'));
  }, 180_000);
  afterAll(async () => {
    await site?.stop();
    await models?.close();
    if (folder) await rm(folder, { recursive: true });
  }, 40_000);

  /** Runs a program in a shell after the lines that set its variables; resolves to its output. */
  async function start(variables: string, program: string, more: Record<string, string> = {}): Promise<string> {
    const file = join(folder, 'program.mjs');
    await writeFile(file, program);
    const line = `set -a\n${variables}\nexec ${process.execPath} ${file}`;
    const { stdout } = await run('sh', ['-euc', line], { env: { PATH: process.env.PATH, ...more } });
    return stdout.trim();
  }

  it.each(['Vercel AI SDK', 'OpenAI Agents'])(
    'traces of the %s arrive, and become a run',
    async (library) => {
      const portal = await site.signIn();
      const { page } = portal;
      await portal.open('/elsewhere');
      await page.getByRole('button', { name: 'Make a key for it' }).click();
      const variables = await page.getByLabel('Variables with the key', { exact: true }).innerText();
      await page.getByRole('button', { name: 'I have stored it' }).click();
      await page.getByLabel('Traced with').selectOption(library);
      const program = await page.getByLabel('Code', { exact: true }).innerText();

      const ofModels = { OPENAI_BASE_URL: models.url, OPENAI_API_KEY: 'none' };
      expect(await start(variables, program, ofModels)).toBe(ANSWER);
      const status = page.getByRole('status');
      await status.getByText('A trace has arrived').waitFor();
      await status.getByRole('link', { name: 'my-agent' }).waitFor();
      await status.getByRole('link').nth(1).click();
      await page.waitForURL('**/runs/task/*');
      await page.locator('.message.assistant', { hasText: ANSWER }).waitFor();
      const [task] = (await api.agents.listAllTasks({ trigger: ['EXTERNAL'], limit: 1 })).data;
      expect(task).toMatchObject({ version: '1.0.0', release: 'production' });
      expect(portal.faults).toEqual([]);
    },
    240_000,
  );

  it('calls of an OpenAI client with the two settings are recorded', async () => {
    const portal = await site.signIn();
    const { page } = portal;
    await portal.open('/elsewhere');
    const settings = await page.getByLabel('Settings of the client', { exact: true }).innerText();
    const { key } = await api.apiKeys.create({ name: 'client', scopes: ['invoke'] });
    expect(settings).toContain('svk_…');
    expect(await start(settings.replace('svk_…', key ?? ''), OPENAI_PROGRAM)).toBe('[simulated] Is this recorded?');
    const request = await eventually(
      'it is recorded',
      async () => (await api.requests.list({ origin: 'CHAT', limit: 1 })).data[0],
    );
    await portal.open(`/runs/request/${request.request_id}`);
    await page.getByText('Is this recorded?', { exact: true }).waitFor();
    expect(portal.faults).toEqual([]);
  }, 120_000);
});
