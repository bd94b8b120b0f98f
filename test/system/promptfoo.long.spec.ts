import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient, type Signalbox } from '@signalbox/sdk';
import { installed, Platform, PROMPTFOO, ROOT, type TestCompany } from '@signalbox/testing';

const GUIDE = join(ROOT, 'docs/guides/use-your-clients.md');
const RUN_MS = 300_000;
const TEST_FAILED = 100;

interface Evaluated {
  results: { results: { success: boolean; provider: { label: string }; error?: string }[] };
}

let platform: Platform;
let company: TestCompany;
let api: Signalbox;
let promptfoo: string;
let home: string;
beforeAll(async () => {
  promptfoo = await installed(PROMPTFOO);
  home = await mkdtemp(join(tmpdir(), 'promptfoo-'));
  platform = await Platform.start({ services: ['accounts', 'traffic', 'agents', 'gateway'] });
  company = await platform.company();
  api = createClient({ baseUrl: platform.baseUrl, apiKey: company.key });
}, 900_000);
afterAll(async () => {
  await platform?.stop();
  if (home) await rm(home, { recursive: true, force: true });
});

it(
  'of a stranger evaluates models and agents by the configuration of the guide alone, and its calls are recorded',
  async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'Client shop' });
    const agent = { application_id, agent_name: 'Client clerk', system_prompt: 'You help.' };
    const { id: agent_id } = await api.agents.create(agent);
    await api.agents.publishVersion({ agent_id });
    const [, configuration = ''] = /```yaml\n([^`]+)```/.exec(await readFile(GUIDE, 'utf8')) ?? [];
    await writeFile(join(home, 'promptfooconfig.yaml'), configuration);
    const entry = join(promptfoo, 'node_modules/promptfoo/dist/src/entrypoint.js');
    const env = {
      ...{ PATH: process.env.PATH, HOME: home, PROMPTFOO_CONFIG_DIR: home },
      ...{ PROMPTFOO_DISABLE_TELEMETRY: '1', PROMPTFOO_DISABLE_UPDATE: '1' },
      ...{ SIGNALBOX_URL: platform.baseUrl, SIGNALBOX_API_KEY: company.key, AGENT: String(agent_id) },
    };
    const options = { cwd: home, env, timeout: RUN_MS };
    // It exits with 100 when a test has failed: its results say which.
    await promisify(execFile)(
      process.execPath,
      [entry, 'eval', '--no-cache', '--no-table', '-o', 'results.json'],
      options,
    ).catch((error: { code?: unknown }) => {
      if (error.code !== TEST_FAILED) throw error as Error;
    });
    const { results } = JSON.parse(await readFile(join(home, 'results.json'), 'utf8')) as Evaluated;
    const outcomes = results.results.map(({ provider, success, error }) => [provider.label, error ?? success] as const);
    expect(Object.fromEntries(outcomes)).toEqual({ model: true, 'agent as a model': true, agent: true });
    const { data } = await api.requests.list({ limit: 10 });
    // Both completions, and the model calls of both tasks of the agent.
    expect(data.map(({ origin }) => origin).sort()).toEqual(['AGENT', 'AGENT', 'CHAT', 'CHAT']);
  },
  RUN_MS,
);
