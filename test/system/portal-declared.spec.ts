/// <reference lib="dom" />
import type { Signalbox } from '@signalbox/sdk';
import { eventually, type ModelProvider, type Platform, startModelProvider } from '@signalbox/testing';
import type { Page } from 'playwright-core';
import { describePages, PortalSite } from './portal/site.js';

const KEY = 'sk-very-secret-1234';
const HOSTILE = '<img src=x onerror=alert(1)>';

/** The address of a page below its company. */
const addressOf = (page: Page): string => new URL(page.url()).pathname.replace(/^\/c\/\d+/, '');

describePages('the declared pages', () => {
  let site: PortalSite;
  let platform: Platform;
  let company: { key: string; companyId: number };
  let api: Signalbox;
  let house: ModelProvider;
  /** Addresses that the last test looks at. */
  const seen = new Set<string>();
  beforeAll(async () => {
    house = await startModelProvider({ apiKey: KEY });
    site = await PortalSite.start('Declared', 'test-runs', 'training');
    ({ platform, company, api } = site);
  }, 180_000);
  afterEach(() => site?.closePages());
  afterAll(async () => {
    await site?.stop();
    await house?.close();
  });

  const signIn = (who = company) => site.signIn(who);
  const see = (...addresses: string[]) => addresses.forEach((address) => seen.add(address));

  it('make an application, say where each value of its intents comes from, and reset one', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/applications?search=none-of-this-name');
    await page.getByText('No application matches.').waitFor();
    await portal.open('/applications');
    await page.getByRole('button', { name: 'New application' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await page.getByLabel('Reference name').fill('not a name!');
    await page.getByRole('button', { name: 'Make it' }).click();
    const refused = page.getByLabel('Reference name');
    await refused.and(page.locator('[aria-invalid="true"]')).waitFor();
    await portal.picture('form-error');
    await refused.fill('shop');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    const application = new URL(page.url()).pathname.split('/').at(-1) ?? '';

    await page.getByText('Nothing is set here').waitFor();
    await page.getByRole('button', { name: 'Change the configuration' }).click();
    await page.getByLabel('Temperature').fill('0.5');
    await page.getByLabel('System prompt').fill(HOSTILE);
    await page.getByRole('button', { name: 'Save' }).click();
    const row = (title: string) => page.getByRole('row').filter({ hasText: title });
    await row('Temperature').getByText('set here').waitFor();
    await page.getByText(HOSTILE).waitFor();

    await page.getByRole('tab', { name: 'Intents' }).click();
    await page.getByRole('button', { name: 'New intent' }).click();
    await page.getByLabel('Name', { exact: true }).fill('refund');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'refund', level: 1 }).waitFor();
    see(addressOf(page));
    await row('Temperature').getByRole('link', { name: 'the application' }).waitFor();
    await page.getByRole('button', { name: 'Change the configuration' }).click();
    await page.getByLabel('Temperature').fill('0.9');
    await page.getByRole('button', { name: 'Save' }).click();
    await row('Temperature').getByText('set here').waitFor();
    await portal.picture('intent-configuration');
    await page.getByRole('button', { name: 'Reset Temperature' }).click();
    await row('Temperature').getByRole('link', { name: 'the application' }).waitFor();
    await row('Temperature').getByText('0.5').waitFor();

    await page.getByRole('link', { name: 'refund' }).click();
    await page.getByRole('link', { name: 'Intent groups' }).first().waitFor();
    see(addressOf(page), '/intent-groups', '/applications');
    see(`/applications/${application}`, `/applications/${application}?tab=Intents`);
    expect(portal.faults.filter((fault) => !fault.includes('400'))).toEqual([]);
  }, 180_000);

  it('change and delete, after a question, and say what stands in the way', async () => {
    const { id } = await api.applications.create({ application_name: 'Old shop', description: 'Sells' });
    await api.agents.create({ application_id: id, agent_name: 'Clerk', system_prompt: 'You help.' });
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/applications/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Description').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await api.applications.get({ application_id: id })).toMatchObject({ description: null, state: 'ENABLED' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the application' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Detach its agents').check();
    await page.getByRole('button', { name: 'Delete the application' }).click();
    await page.waitForURL('**/applications');
    expect(await api.applications.list({ search: 'Old shop' })).toMatchObject({ data: [] });
    expect(portal.faults.filter((fault) => !fault.includes('409'))).toEqual([]);
  }, 180_000);

  it('change what was changed in a form, and nothing that it cannot show or that others change meanwhile', async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'One', description: 'Sells' });
    const stop = ['\n', '\n\nHuman:'];
    await api.applications.updateConfig({ application_id, stop, temperature: 1 });
    const portal = await signIn();
    const { page } = portal;
    const dialog = page.getByRole('dialog');
    await portal.open(`/applications/${application_id}`);
    await page.getByRole('button', { name: 'Change the configuration' }).click();
    await dialog.getByLabel('Temperature').fill('0.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await api.applications.getConfig({ application_id })).config).toMatchObject({ stop, temperature: 0.5 });

    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Two');
    await api.applications.update({ application_id, description: 'Sells and repairs' });
    await eventually('the page behind the form has read it', async () => {
      // As when its window gets the focus, once what it has is not new any more.
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      return (await page.getByText('Sells and repairs').count()) > 0;
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const now = await api.applications.get({ application_id });
    expect(now).toMatchObject({ application_name: 'Two', description: 'Sells and repairs' });
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('make a provider with a key that is never shown, test it, and price a model', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/providers');
    await page.getByRole('button', { name: 'New provider' }).click();
    await page.getByLabel('Name', { exact: true }).fill('house-models');
    await page.getByLabel('Address').fill(house.url);
    await page.getByLabel('Key (optional)').fill(KEY);
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'house-models' }).waitFor();
    expect(await page.locator('body').innerText()).not.toContain(KEY);
    see('/providers', addressOf(page));
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByRole('button', { name: 'Call it now' }).click();
    await page.getByText('It answered in').waitFor();
    await portal.picture('provider-test');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('New key').inputValue()).toBe('');
    await page.getByLabel('New key').fill('sk-wrong-0000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('…0000').waitFor();
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByRole('button', { name: 'Call it now' }).click();
    await page.getByText('It failed').waitFor();
    await page.keyboard.press('Escape');
    await api.models.updateProvider({ provider_id: Number(page.url().split('/').at(-1)), api_key: KEY });

    await portal.open('/models');
    await page.getByRole('button', { name: 'New model' }).click();
    await page.getByLabel('Name', { exact: true }).fill('house-echo');
    await page.getByLabel('Provider', { exact: true }).last().selectOption({ label: 'house-models' });
    await page.getByLabel('Name at the provider').fill('simulated-echo');
    await page.getByLabel('Price of a million input').fill('0.5');
    await page.getByLabel('Price of a million output').fill('-1');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('This is at least 0.').waitFor();
    await page.getByLabel('Price of a million output').fill('1.5');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'house-echo' }).waitFor();
    await page.getByText('It was not called in this time.').waitFor();
    await api.chat.create({ model: 'house-echo', messages: [{ role: 'user', content: 'hello' }] });
    see('/models', addressOf(page));
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog', { name: 'Disable house-echo?' }).waitFor();
    expect(await portal.themeFaults('model-question')).toEqual([]);
    await page.getByRole('button', { name: 'Disable the model' }).click();
    await page.locator('.lamp', { hasText: 'Disabled' }).waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.locator('.lamp', { hasText: 'Enabled' }).waitFor();

    // A form that was open before offers what was made since.
    await api.models.createProvider({ provider_name: 'late-models', kind: 'openai_compatible', base_url: house.url });
    await page.getByRole('navigation', { name: 'Where this is' }).getByRole('link', { name: 'Models' }).click();
    await page.getByRole('button', { name: 'New model' }).click();
    await page.getByLabel('Provider', { exact: true }).last().selectOption({ label: 'late-models' });
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('make an MCP server and ask it for its tools', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/mcp-servers');
    await page.getByRole('button', { name: 'New MCP server' }).click();
    await page.getByLabel('Name', { exact: true }).fill('platform');
    await page.getByLabel('Address').fill(`${platform.baseUrl}/mcp`);
    await page.getByLabel('Headers of each call').fill('{"X-Service-Api-Key": "{{secrets.KEY}}"}');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'platform', level: 1 }).waitFor();
    await page.getByText('Its tools are not known yet.').waitFor();
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    expect(await page.getByLabel('Name of secret 1').inputValue()).toBe('KEY');
    await page.getByLabel('Value of secret 1').fill('not-a-key');
    await page.getByRole('button', { name: 'Ask it now' }).click();
    await page.getByText('The last refresh failed').waitFor();
    await page.getByLabel('Value of secret 1').fill(company.key);
    await page.getByRole('button', { name: 'Ask it now' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'read_api' }).waitFor();
    await page.getByText('Arguments of read_api', { exact: true }).click();
    expect(await portal.looksFaults('mcp-server')).toEqual([]);
    expect(await page.locator('body').innerText()).not.toContain(company.key);

    const { id: application_id } = await api.applications.create({ application_name: 'Uses tools' });
    const agent = await api.agents.create({ application_id, agent_name: 'Reader' });
    await portal.open(`/agents/${agent.id}`);
    const section = page.getByRole('region', { name: 'MCP servers', exact: true });
    await section.getByText('It uses no tools of servers elsewhere.').waitFor();
    await section.getByRole('button', { name: 'Add MCP server' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Server' }).selectOption({ label: 'platform' });
    await page.getByRole('button', { name: 'Add it' }).click();
    await section.getByRole('link', { name: 'platform' }).waitFor();
    expect(await portal.themeFaults('agent-mcp')).toEqual([]);
    const [server] = (await api.mcpServers.list()).data;
    expect((await api.agents.get({ agent_id: agent.id })).mcp_servers).toEqual([server?.id]);
    await section.getByRole('button', { name: 'Remove platform' }).click();
    await page.getByRole('dialog', { name: 'Remove the MCP server platform?' }).waitFor();
    expect(await portal.themeFaults('agent-mcp-question')).toEqual([]);
    await page.getByRole('button', { name: 'Remove the MCP server' }).click();
    await section.getByText('It uses no tools of servers elsewhere.').waitFor();
    see('/mcp-servers', `/mcp-servers/${server?.id ?? ''}`);
  }, 180_000);

  it('make a tag with a rule, preview it, and apply it to what was recorded', async () => {
    await api.chat.create({ model: 'simulated-echo', messages: [{ role: 'user', content: 'a refund, please' }] });
    await api.chat.create({ model: 'simulated-echo', messages: [{ role: 'user', content: 'good morning' }] });
    await eventually('the calls are recorded', async () => (await api.requests.list()).pagination.total >= 2);
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/tags');
    await page.getByRole('button', { name: 'New tag' }).click();
    await page.getByLabel('Name', { exact: true }).fill(HOSTILE);
    await page.getByLabel('Colour').fill('red');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
    await page.getByLabel('Colour').fill('#c22836');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    see('/tags', addressOf(page), `${addressOf(page)}?tab=Rules`);

    await portal.open('/tag-rules');
    await page.getByRole('button', { name: 'New tag rule' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Refunds');
    await page.getByRole('dialog').getByLabel('Tag', { exact: true }).selectOption({ label: HOSTILE });
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'Refunds' }).waitFor();
    see('/tag-rules', addressOf(page), `${addressOf(page)}?tab=Definition`);
    await page.getByRole('button', { name: 'Judge them' }).click();
    await page.getByText(/^1 of \d+ would get the tag/).waitFor();
    await portal.picture('rule-preview');
    await page.getByRole('button', { name: 'Apply to recorded requests' }).click();
    await page.getByLabel('Only with the text').fill('refund');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: /^Tag run/ }).waitFor();
    await page.getByText('Completed').waitFor();
    see('/tag-runs', addressOf(page));
    const { data: tags } = await api.tags.list();
    expect(tags).toMatchObject([{ tag_name: HOSTILE, color: '#c22836', request_count: 1 }]);
    expect(portal.faults.filter((fault) => !fault.includes('400'))).toEqual([]);
  }, 180_000);

  it('fill a dataset from a file whose bad lines are named, mix it, and train with it', async () => {
    const { id: group } = await api.intentGroups.create({ intent_group_name: 'answers' });
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/datasets');
    await page.getByRole('button', { name: 'New dataset' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Answers');
    await page.getByRole('dialog').getByLabel('Intent group', { exact: true }).selectOption({ label: 'answers' });
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('The dataset is empty.').waitFor();
    const dataset = addressOf(page);
    see('/datasets', dataset, `${dataset}?tab=Add`, `${dataset}?tab=Augmentations`);
    await page.getByRole('link', { name: 'Add rows' }).click();
    const rows = Array.from({ length: 20 }, (_, n) => ({
      messages: [
        { role: 'user', content: n === 0 ? HOSTILE : `question ${n}` },
        { role: 'assistant', content: `answer ${n}` },
      ],
    }));
    const lines = [...rows.map((row) => JSON.stringify(row)), '{"messages": []}', 'no JSON'];
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'rows.jsonl',
      mimeType: 'application/jsonl',
      buffer: Buffer.from(lines.join('\n')),
    });
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('20 rows added.').waitFor();
    await page.getByRole('region', { name: 'Lines that were refused' }).getByRole('cell', { name: '22' }).waitFor();
    await portal.picture('dataset-upload');
    await page.getByRole('tab', { name: 'Rows' }).click();
    await page.getByText('20 rows', { exact: true }).waitFor();
    await page.getByLabel('Text').fill('img src');
    await page.getByText('1 row', { exact: true }).waitFor();
    expect(page.url()).toContain('text=img');
    await page.getByRole('grid').getByText(HOSTILE).click();
    await page.getByRole('dialog').getByText('answer 0').waitFor();
    await portal.picture('dataset-row');
    await page.getByRole('button', { name: 'Delete the row' }).click();
    await page.getByRole('button', { name: 'Delete it for good' }).and(page.locator(':focus')).press('Enter');
    await page.getByText('No row matches.').waitFor();

    const { id: set } = await api.testSets.create({ name: 'Held back' });
    await api.testSets.createItem({
      test_set_id: set,
      input: { messages: [{ role: 'user', content: 'question 3' }] },
      expected_output: { text: 'answer 3' },
    });
    await portal.open('/compositions');
    await page.getByRole('button', { name: 'New composition' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Mix');
    await page.getByRole('dialog').getByLabel('Intent group', { exact: true }).selectOption({ label: 'answers' });
    await page.getByLabel('Held back').check();
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('button', { name: 'Add a dataset' }).click();
    await page.getByLabel('Dataset', { exact: true }).selectOption({ label: 'Answers' });
    await page.getByRole('button', { name: 'Add it' }).click();
    await page.getByRole('link', { name: 'Answers', exact: true }).waitFor();
    const composition = addressOf(page);
    see('/compositions', composition, `${composition}?tab=Preview`);
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByText('Rows that are left out').first().waitFor();
    await portal.picture('composition-preview');

    await portal.open('/finetune-runs');
    await page.getByRole('button', { name: 'New finetune run' }).click();
    await page.getByRole('dialog').getByLabel('Composition', { exact: true }).selectOption({ label: 'Mix' });
    await page.getByLabel('Base model').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('Completed').waitFor();
    await page.getByRole('img', { name: /^Losses of/ }).waitFor();
    const run = addressOf(page);
    see('/finetune-runs', run, `${run}?tab=Events`, `${run}?tab=Checkpoints`);
    expect(await api.finetuneRuns.list({ intent_group_id: group })).toMatchObject({ data: [{ status: 'COMPLETED' }] });
    expect(portal.faults).toEqual([]);
  }, 240_000);

  it('are found by name in the palette, which also says how something is done with the API', async () => {
    const portal = await signIn();
    const { page } = portal;
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox', { name: 'Search' });
    await palette.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('house-e');
    await page.getByRole('option', { name: 'house-echo model' }).waitFor();
    await palette.fill('how do I tag a request');
    await page
      .getByRole('option', { name: /^(GET|POST|PUT) \/tags/ })
      .first()
      .waitFor();
    const help = page.getByRole('option', { name: 'how do I tag a request ask how it is done' });
    await help.waitFor();
    expect(await portal.accessibilityFaults('dark')).toEqual([]);
    await portal.picture('palette');
    await help.click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /\/tags/ })
      .first()
      .waitFor();
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await portal.picture('palette-help');
    await palette.fill('finetune r');
    await page.getByRole('option', { name: 'Finetune runs page' }).waitFor();
    await palette.press('Enter');
    await page.getByRole('heading', { name: 'Finetune runs', level: 1 }).waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('show what a key may not do, and what fails', async () => {
    const { key } = await api.apiKeys.create({ name: 'reader', scopes: ['read'] });
    const portal = await signIn({ ...company, key: key ?? '' });
    const { page } = portal;
    await portal.open('/models');
    const button = page.getByRole('button', { name: 'New model', disabled: true }).first();
    expect(await button.getAttribute('title')).toContain('write');
    await page.route('**/api/v1/datasets?*', (route) =>
      route.fulfill({ status: 503, json: { error: { status: 503, message: 'training is away', details: [] } } }),
    );
    await portal.open('/datasets');
    await page.getByText('training is away').waitFor();
    await page.unroute('**/api/v1/datasets?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('grid').getByText('Answers', { exact: true }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Answers' }).waitFor();
    expect(portal.faults.filter((fault) => !fault.includes('503'))).toEqual([]);
  }, 180_000);

  it('have no fault that axe knows, in both themes, and fit into 320 pixels and 200 % zoom', async () => {
    const portal = await signIn();
    for (const address of seen) {
      await portal.open(address);
      expect([address, await portal.looksFaults(`declared${address.replaceAll(/[/?=]/g, '-')}`)]).toEqual([
        address,
        [],
      ]);
    }
    expect(portal.faults).toEqual([]);
  }, 300_000);
});
