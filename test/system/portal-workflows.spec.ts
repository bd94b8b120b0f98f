/// <reference lib="dom" />
import { type ModelProvider, type Platform, startModelProvider } from '@signalbox/testing';
import { overwrite } from '@signalbox/testing/browser';
import type { Locator, Page } from 'playwright-core';
import { Keyboard } from './portal/keyboard.js';
import { describePages, PortalSite } from './portal/site.js';

// As in portal.spec.ts: in CI a browser is installed.

const editorOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Script', exact: true });
const runButton = (page: Page): Locator => page.getByRole('button', { name: /^Run Ctrl/ });
const nameField = (page: Page): Locator => page.getByRole('dialog').getByLabel('Name', { exact: false }).first();

/** Writes a whole script over the one in the editor. */
const write = (page: Page, script: string): Promise<void> => overwrite(editorOf(page), script);

const saved = (page: Page): Promise<void> => page.getByText('The draft is saved').waitFor();

describePages('the pages of workflows', () => {
  let site: PortalSite;
  /** Never answers. */
  let silent: ModelProvider;
  let platform: Platform;
  let company: { key: string; companyId: number };
  beforeAll(async () => {
    silent = await startModelProvider({ hangRate: 1 });
    site = await PortalSite.start('Workflows', 'runner', 'test-runs');
    ({ platform, company } = site);
  }, 180_000);
  afterEach(() => site?.closePages());
  afterAll(async () => {
    await site?.stop();
    await silent?.close();
  });

  const signIn = (who = company) => site.signIn(who);
  const api = <T>(method: string, address: string, body?: object) =>
    platform.api(company.key).data<T>(method, address, body);

  it('goes from an example to its output, over a line that is wrong, to a release', async () => {
    const portal = await signIn(await platform.company('Mouse'));
    const { page } = portal;
    await page.getByRole('button', { name: 'Run a workflow' }).click();
    await page.getByText('Write a report').click();
    await portal.picture('workflow-new');
    await page.getByRole('button', { name: 'Make it' }).click();
    await editorOf(page).waitFor();
    await runButton(page).click();
    await page.getByRole('log').getByText('"done":2').waitFor();
    await page.getByLabel('Output', { exact: true }).getByText('"count": 2').waitFor();
    const report = await portal.saved(() => page.getByRole('link', { name: 'report.txt' }).click());
    expect(report.toString()).toBe('- Rail 4 is free\n- Signal 12 is red');
    await portal.picture('workflow-ran');

    await editorOf(page).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('const x = ;\n');
    await page.getByRole('list', { name: 'Problems' }).getByText('line 1').waitFor();
    await page.locator('.cm-lint-marker-error').waitFor();
    await portal.picture('workflow-problem');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Not saved: the script or a schema has problems').waitFor();
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await write(page, 'async function execute(ctx) {\n  return ctx.input;\n}\n');
    await page.getByRole('button', { name: /^Save/ }).click();
    await saved(page);

    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByLabel('What changed').fill('Gives back its input.');
    await page.getByRole('button', { name: 'Publish it' }).click();
    await page.getByText('latest 1.0.0').waitFor();
    await page.getByRole('tab', { name: 'Releases' }).click();
    await page.getByRole('button', { name: 'New release' }).click();
    await nameField(page).fill('production');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('columnheader', { name: 'production' }).waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('does the same by keyboard alone, and finds the run again by its id', async () => {
    const portal = await signIn(await platform.company('Keys'));
    const { page } = portal;
    await new Keyboard(page).goTo('f', '/workflows');
    await page.getByRole('button', { name: 'Make the first one' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: /Check by rules/ }).waitFor();
    await page.getByRole('radio', { checked: true }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Order check' }).waitFor();
    await page.getByLabel('amount').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('-1');
    await page.keyboard.press('Control+Enter');
    await page.getByText('This is at least 0.').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('100');
    await page.keyboard.press('Control+Enter');
    await page.getByLabel('Output', { exact: true }).getByText('"approved": true').waitFor();

    // Keys of the portal are letters in the editor.
    await write(page, 'def execute(ctx):\n    # g w ? /\n    return ctx.input["nothing"]\n');
    await page.keyboard.type('# g w ? /');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/the script threw an error/).waitFor();
    await page.getByRole('list', { name: 'Problems' }).getByText('line 3').waitFor();
    await saved(page);
    await editorOf(page).focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await editorOf(page).and(page.locator(':not(:focus)')).waitFor();

    await page.getByRole('button', { name: 'Publish', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('What changed').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('latest 1.0.0').waitFor();
    await page.getByRole('tab', { name: 'Build' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'New release' }).focus();
    await page.keyboard.press('Enter');
    await nameField(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('production');
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'production' }).waitFor();
    await page.getByRole('tab', { name: 'Releases' }).focus();
    await page.keyboard.press('ArrowRight');

    await page.getByRole('link', { name: 'Open the run' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/runs/workflow/*');
    await page.getByText(/the script threw an error/).waitFor();
    const failed = page.url().split('/').pop() ?? '';
    await page.getByRole('button', { name: 'Run again' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Run it' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.endsWith(failed));
    await page.getByText(/the script threw an error/).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor();
    await page.keyboard.insertText(failed);
    await page.getByRole('option', { name: /workflow run/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/runs/workflow/${failed}`);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('keeps a release behind its gate, and shows what differs', async () => {
    const { id } = await api<{ id: number }>('POST', '/workflows', {
      workflow_ref_name: 'gated',
      workflow_name: 'Gated',
      script: 'function execute(ctx) {\n  return 1;\n}\n',
    });
    await api('POST', `/workflows/${id}/versions`, { version_notes: 'one' });
    const set = await api<{ id: number }>('POST', '/unified-test-sets', { name: 'Numbers' });
    await api('POST', `/workflows/${id}/releases`, { name: 'live', version: '1.0.0' });
    await api('PUT', `/workflows/${id}`, { script: 'function execute(ctx) {\n  return 2;\n}\n' });
    await api('POST', `/workflows/${id}/versions`, { version_notes: 'two' });
    const gate_policy = { test_set_id: set.id, min_match_rate: 0.9, max_age_ms: 86_400_000 };
    await api('PUT', `/workflows/${id}/releases/live`, { gate_policy });
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/workflows/${id}?tab=Versions`);
    await page.getByLabel(/^From/).selectOption('1.0.0');
    await page.getByLabel(/^To(draft|1)/).selectOption('1.1.0');
    await page
      .getByText('added: return 2;')
      .or(page.getByText(/added:\s+return 2;/))
      .first()
      .waitFor();
    await portal.picture('workflow-versions');
    await page.getByRole('tab', { name: 'Releases' }).click();
    await page.getByText('no test run matches').waitFor();
    await page.getByRole('button', { name: 'Move live to 1.1.0' }).click();
    await page.getByText('Move it although the gate is closed').waitFor();
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await portal.picture('workflow-gate');
    await page.getByText('Move it although the gate is closed').click();
    await page.getByLabel(/^Reason/).fill('An emergency.');
    await page.getByRole('button', { name: 'Move to 1.1.0 all the same' }).click();
    await page.getByRole('row', { name: /1\.1\.0.*Here/ }).waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('asks before a run is cancelled, beside the script and on its own page', async () => {
    const { models } = site.api;
    const { id: provider_id } = await models.createProvider({
      provider_name: 'silent',
      kind: 'openai_compatible',
      base_url: silent.url,
      api_key: 'none',
    });
    await models.create({ model_name: 'silent', provider_id });
    const asked = "{ model: 'silent', messages: [{ role: 'user', content: 'hello' }] }";
    const { id } = await api<{ id: number }>('POST', '/workflows', {
      workflow_ref_name: 'waits',
      workflow_name: 'Waits',
      script: `async function execute(ctx) {\n  return ctx.chat.completions.create(${asked});\n}\n`,
    });
    const portal = await signIn();
    const { page } = portal;
    const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
    const question = page.getByRole('dialog', { name: 'Cancel this run?' });
    await portal.open(`/workflows/${id}`);
    await runButton(page).click();
    await cancel.click();
    await question.waitFor();
    expect(await portal.themeFaults('workflow-cancel-question')).toEqual([]);
    await question.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByRole('region', { name: 'Run', exact: true }).getByText('Cancelled').waitFor();

    const { run_id } = await api<{ run_id: string }>('POST', `/workflows/${id}/execute`, { mode: 'async' });
    const status = async () => (await site.api.workflows.getRun({ run_id })).status;
    await portal.open(`/runs/workflow/${run_id}`);
    await cancel.click();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await status()).not.toBe('CANCELLED');
    await cancel.click();
    await question.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByRole('button', { name: 'Run again' }).waitFor();
    expect(await status()).toBe('CANCELLED');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('offers every release and version to be run', async () => {
    const { id } = await api<{ id: number }>('POST', '/workflows', {
      workflow_ref_name: 'regional',
      workflow_name: 'Regional',
      script: 'function execute(ctx) {\n  return 1;\n}\n',
    });
    for (let n = 1; n <= 21; n++) {
      await api('POST', `/workflows/${id}/versions`, { version_notes: `${n}` });
      await api('POST', `/workflows/${id}/releases`, { name: `region-${n}`, version: `1.${n - 1}.0` });
    }
    const portal = await signIn();
    await portal.open(`/workflows/${id}`);
    const offered = portal.page.getByLabel('What is run');
    await offered.locator('option[value="release:region-1"]').waitFor({ state: 'attached' });
    await offered.locator('option[value="version:1.0.0"]').waitFor({ state: 'attached' });
    await offered.locator('option[value="version:1.20.0"]').waitFor({ state: 'attached' });
  }, 180_000);

  it('drops what is not saved when it is left so, after it asked', async () => {
    const { id } = await api<{ id: number }>('POST', '/workflows', {
      workflow_ref_name: 'left',
      workflow_name: 'Left',
      script: 'function execute(ctx) {\n  return 1;\n}\n',
    });
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/workflows/${id}`);
    await write(page, 'function execute(ctx) {\n  return 2;\n}\n');
    await page.getByRole('link', { name: 'Agents' }).click();
    const leaves = page.getByRole('dialog', { name: 'Leave with unsaved changes?' });
    await leaves.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    await page.goBack();
    await editorOf(page).getByText('return 1;').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('has no fault that axe knows, in both themes, and fits into 320 pixels and 200 % zoom', async () => {
    const { id } = await api<{ id: number }>('POST', '/workflows', {
      workflow_ref_name: 'shown',
      workflow_name: 'A workflow with a name that is longer than most names of workflows are',
      input_schema: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          urgent: { type: 'boolean' },
          level: { enum: ['low', 'high'] },
          tags: { type: 'array', items: { enum: ['a', 'b'] } },
          lines: { type: 'array', items: { type: 'string' } },
          inner: { type: 'object', properties: { n: { type: 'integer' }, any: {} } },
        },
      },
      script:
        "async function execute(ctx) {\n  ctx.log('warn', 'word '.repeat(80));\n  ctx.emit({ n: 1 });\n  throw new Error('no');\n}\n",
    });
    await api('POST', `/workflows/${id}/versions`, {});
    await api('POST', `/workflows/${id}/releases`, { name: 'production', version: '1.0.0' });
    const run = await api<{ id: string }>('POST', `/workflows/${id}/execute`, { input: { name: 'x' }, mode: 'sync' });
    const portal = await signIn();
    const addresses = [
      '/workflows',
      ...['Build', 'Runs', 'Versions', 'Releases'].map((tab) => `/workflows/${id}?tab=${tab}`),
      ...['Result', 'Logs', 'Timeline', 'Artifacts'].map((tab) => `/runs/workflow/${run.id}?tab=${tab}`),
    ];
    for (const [n, address] of addresses.entries()) {
      await portal.open(address);
      if (address.endsWith('Build')) await editorOf(portal.page).waitFor();
      expect([address, await portal.looksFaults(`workflow-page-${n}`)]).toEqual([address, []]);
    }
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('begins the session of an agent with the state that is entered in the fields of the agent', async () => {
    const { id: application_id } = await api<{ id: number }>('POST', '/applications', {
      application_name: 'Shop',
      application_ref_name: 'shop',
    });
    const { id } = await api<{ id: number }>('POST', '/agents', { application_id, agent_name: 'Seller' });
    await api('POST', `/agents/${id}/form-fields`, {
      field_key: 'level',
      label: 'Level of the customer',
      field_type: 'enum',
      enum_values: ['standard', 'gold'],
    });
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/agents/${id}`);
    await page.getByText('State of the session').click();
    await page.getByRole('combobox', { name: 'Level of the customer' }).selectOption({ label: 'gold' });
    expect(await portal.accessibilityFaults('dark')).toEqual([]);
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.getByRole('link', { name: 'Open the run' }).waitFor();
    const [session] = await api<{ session_id: string }[]>('GET', `/agents/${id}/sessions`);
    expect(await api('GET', `/agents/${id}/sessions/${session?.session_id}`)).toMatchObject({
      state: { level: 'gold' },
    });
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('says what is missing: a workflow, a match, the service, and the editor', async () => {
    const { id } = await api<{ id: number }>('POST', '/workflows', {
      workflow_ref_name: 'plain',
      workflow_name: 'Plain',
      script: 'function execute(ctx) {\n  return 1;\n}\n',
    });
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/workflows?search=no-such-workflow');
    await page.getByText('No workflow matches.').waitFor();
    await portal.open(`/workflows/${id}?tab=Releases`);
    await page.getByText('Publish a version first.').waitFor();
    expect(portal.faults).toEqual([]);

    await page.route('**/assets/codemirror-*', (route) => route.abort());
    await portal.open(`/workflows/${id}`);
    await page.getByText('This plain field does the same.').waitFor();
    await page.getByLabel('Script', { exact: true }).last().fill('function execute(ctx) {\n  return 3;\n}\n');
    await page.keyboard.press('Control+s');
    await saved(page);
    await page.unroute('**/assets/codemirror-*');

    const error = { status: 503, message: 'workflows is not available' };
    await page.route('**/api/v1/workflows?**', (route) => route.fulfill({ status: 503, json: { error } }));
    await page.goto(`${portal.origin}/c/${company.companyId}/workflows`);
    await page.getByText('workflows is not available. Try again in a moment.').first().waitFor();
    await page.unroute('**/api/v1/workflows?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /Plain/ }).waitFor();
    await page.goto(`${portal.origin}/c/${company.companyId}/workflows/999999`);
    await page.getByText('workflow not found').waitFor();
    expect(portal.faults.filter((fault) => !/ERR_FAILED|503|404/.test(fault))).toEqual([]);
  }, 180_000);
});
