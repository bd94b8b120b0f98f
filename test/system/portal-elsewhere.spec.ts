/// <reference lib="dom" />
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Signalbox } from '@signalbox/sdk';
import { ApiClient, eventually, type ModelProvider, ROOT, startModelProvider } from '@signalbox/testing';
import { describePages, PortalSite } from './portal/site.js';

const run = promisify(execFile);
const ANSWER = 'Good morning.';
/** A client that is given nothing: where it calls and with which key stands in its variables. */
const OPENAI_PROGRAM = `import OpenAI from 'openai';
const messages = [{ role: 'user', content: 'Is this recorded?' }];
const { choices } = await new OpenAI().chat.completions.create({ model: 'simulated-echo', messages });
console.log(choices[0].message.content);`;

type Span = Record<string, unknown> & { spanId: string };

/** Sends spans of one trace, one at a time. */
class SpanExporter {
  sent = 0;
  private readonly traceId = randomBytes(16).toString('hex');
  private readonly root = randomBytes(8).toString('hex');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
    private readonly agent: string,
  ) {}

  /** The root: only with it is it known which agent it is. */
  async begin(answer: string): Promise<void> {
    const output = [{ role: 'assistant', parts: [{ type: 'text', content: answer }] }];
    await this.send(
      { spanId: this.root, name: 'invoke_agent' },
      { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.output.messages': JSON.stringify(output) },
    );
  }

  /** Sends the call of a tool now and every half second: a trace that is quiet for ten seconds is closed. */
  keepCalling(tool: string): void {
    const call = (): void => {
      const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool };
      const span = { spanId: randomBytes(8).toString('hex'), parentSpanId: this.root, name: tool };
      this.send(span, attributes).then(
        () => this.sent++,
        () => undefined,
      );
    };
    call();
    this.timer = setInterval(call, 500);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async send(span: Span, attributes: Record<string, string>): Promise<void> {
    const now = `${Date.now()}000000`;
    const named = { ...attributes, 'gen_ai.agent.name': this.agent };
    const sent = {
      ...{ ...span, traceId: this.traceId, kind: 1, startTimeUnixNano: now, endTimeUnixNano: now },
      attributes: Object.entries(named).map(([key, stringValue]) => ({ key, value: { stringValue } })),
    };
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: this.agent } }] };
    const resourceSpans = [{ resource, scopeSpans: [{ spans: [sent] }] }];
    await new ApiClient(this.baseUrl, this.key).data('POST', '/otel/v1/traces', { resourceSpans });
  }
}

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
  });

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

  it('a double click makes one key', async () => {
    const portal = await site.signIn();
    const { page } = portal;
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api-keys')) calls.push(request.url());
    });
    await portal.open('/elsewhere');
    await page.getByRole('button', { name: 'Make a key for it' }).dblclick();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    expect(calls).toHaveLength(1);
    expect(portal.faults).toEqual([]);
  }, 120_000);

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

  it('the timeline of a run that is open grows while spans arrive, and ends when no more come', async () => {
    const { key } = await api.apiKeys.create({ name: 'spans', scopes: ['ingest'] });
    const portal = await site.signIn();
    const { page } = portal;
    await portal.open('/runs');
    const running = async () => (await api.agents.listAllTasks({ trigger: ['EXTERNAL'], status: ['RUNNING'] })).data;
    // Traces of the tests before may not be closed yet.
    const earlier = new Set((await running()).map(({ id }) => id));
    const exporter = new SpanExporter(site.platform.baseUrl, key ?? '', 'Night desk');
    await exporter.begin('It is refunded.');
    exporter.keepCalling('find_order');
    try {
      const task = await eventually(
        'the trace has become a run',
        async () => (await running()).find(({ id }) => !earlier.has(id)),
        60_000,
      );
      await portal.open(`/runs/task/${task.id}?tab=Timeline`);
      const steps = page.getByRole('grid', { name: 'Steps' });
      await steps.getByRole('row', { name: 'Action find_order' }).first().waitFor();
      await page.locator('.strip .lamp', { hasText: 'Running' }).waitFor();
      await page.evaluate(() => document.body.setAttribute('data-loaded-once', ''));

      const events = async (): Promise<number> => {
        const text = await page.getByText(/steps of [\d,]+ events/).innerText();
        return Number(/of ([\d,]+) events/.exec(text)?.[1]?.replaceAll(',', ''));
      };
      for (const time of ['once', 'again']) {
        const shown = await events();
        await eventually(`it has grown ${time}`, async () => (await events()) > shown, 30_000);
      }
      await portal.picture('elsewhere-live');

      exporter.stop();
      await page.locator('.strip .lamp', { hasText: 'Completed' }).waitFor();
      const { agent_id, id: task_id } = task;
      const { pagination } = await api.agents.listTaskTimeline({ agent_id, task_id, limit: 1 });
      await eventually('all of it is shown', async () => (await events()) === pagination.total, 30_000);
      expect(pagination.total).toBeGreaterThan(exporter.sent);
      expect(await page.locator('body[data-loaded-once]').count()).toBe(1);
      expect(portal.faults).toEqual([]);
    } finally {
      exporter.stop();
    }
  }, 300_000);
});
