/// <reference lib="dom" />
import { createClient } from '@signalbox/sdk';
import { eventually, type HttpTarget, type Platform, startHttpTarget } from '@signalbox/testing';
import type { Page } from 'playwright-core';
import { Keyboard } from './portal/keyboard.js';
import { describePages, PortalSite } from './portal/site.js';

const PAGES = [
  '/settings/assistants',
  '/settings/company',
  '/settings/webhooks',
  '/settings/audit',
  '/settings/health',
];

/** What the gateway reports of the parts of the platform. */
async function report(page: Page, status: string, services: Record<string, string>): Promise<void> {
  await page.unroute('**/readyz');
  const checks = { postgres: 'ok', nats: 'ok', object_store: 'ok', services };
  await page.route('**/readyz', (route) => route.fulfill({ json: { status, checks } }));
}

describePages('the settings of the portal', () => {
  let site: PortalSite;
  let platform: Platform;
  let target: HttpTarget;
  let company: { key: string; companyId: number };
  beforeAll(async () => {
    target = await startHttpTarget();
    site = await PortalSite.start('Settings');
    ({ platform, company } = site);
  }, 180_000);
  afterEach(() => site?.closePages());
  afterAll(async () => {
    await site?.stop();
    await target?.close();
  });

  const signIn = (who = company) => site.signIn(who);

  it('send events to an address, show what was delivered, and deliver it again', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/settings/webhooks');
    await page.getByText('Events are sent nowhere yet.').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('Address').fill(`${target.url}/hook`);
    await page.getByRole('button', { name: 'Make it' }).click();
    expect(await page.getByLabel('The new signing secret', { exact: true }).innerText()).toMatch(/^whs_/);
    await portal.picture('webhook-secret');
    await page.keyboard.press('Escape');
    await page.getByText('Have you stored it?').waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: `${target.url}/hook` }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const grid = page.getByRole('grid', { name: 'Deliveries' });
    await grid.getByText('Succeeded').waitFor();
    await grid.getByText('webhook.test').click();
    await page.getByRole('dialog').getByText('"event": "webhook.test"').waitFor();
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await portal.picture('webhook-delivery');
    await page.getByRole('button', { name: 'Deliver again' }).click();
    await page.getByText('2 rows', { exact: true }).waitFor();
    expect(await portal.looksFaults('webhook')).toEqual([]);
    // The row stands in the list before its delivery is made.
    await eventually(
      'both deliveries have arrived',
      () => target.calls.filter(({ path: called }) => called === '/hook').length >= 2,
    );
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog', { name: 'Rotate the secret?' }).waitFor();
    expect(await portal.themeFaults('webhook-question')).toEqual([]);
    await page.getByRole('button', { name: 'Make the new secret' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete the webhook' }).click();
    await page.getByText('Events are sent nowhere yet.').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('change the company, and the audit log says by whom and from what', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/settings/company');
    await page.getByLabel('Runs of agents').fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await portal.open('/settings/audit?resource_type=company');
    await page.getByRole('grid', { name: 'Audit log' }).getByText('settings.retention days.tasks').click();
    await page.getByRole('dialog').getByRole('cell', { name: '30' }).waitFor();
    await portal.picture('audit-entry');
    await page.keyboard.press('Escape');
    await portal.open('/settings/audit?resource_id=nothing');
    await page.getByText('No entry matches.').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('show where assistants connect, and make a release a tool', async () => {
    const api = platform.api(company.key);
    const { id: application_id } = await api.data('POST', '/applications', { application_name: 'Shop' });
    const { id } = await api.data<{ id: number }>('POST', '/agents', { application_id, agent_name: 'Order desk' });
    await api.data('POST', `/agents/${id}/versions`, {});
    await api.data('POST', `/agents/${id}/releases`, { name: 'live', version: 'latest' });
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/settings/assistants');
    await page.getByRole('combobox', { name: 'Client' }).selectOption('config.toml (mcp_servers)');
    await page.getByRole('combobox', { name: 'Address' }).selectOption('/mcp/run');
    await page.getByText(`url = "${platform.baseUrl}/mcp/run"`).waitFor();
    const tool = page.getByRole('checkbox', { name: 'Order desk, live is a tool' });
    await tool.click();
    const isTool = async () =>
      (await api.data<{ mcp_enabled: boolean }>('GET', `/agents/${id}/releases/live`)).mcp_enabled;
    await eventually('the release is a tool', isTool);
    await portal.open('/settings/assistants');
    await page.getByRole('checkbox', { name: 'Order desk, live is a tool', checked: true }).click();
    await eventually('the release is no tool', async () => !(await isTool()));
  }, 180_000);

  it('make a key, show it once, rotate and revoke it, by keyboard alone', async () => {
    const portal = await signIn();
    const { page } = portal;
    const keys = new Keyboard(page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const shown = page.getByLabel('The new key', { exact: true });
    await keys.goTo('k', '/settings/keys');
    await keys.to(button('New key'));
    await keys.press('Enter');
    await keys.focused(page.getByLabel('Name', { exact: true }));
    await keys.type('deploy');
    await keys.to(page.getByRole('checkbox', { name: /^write/ }));
    await keys.press('Space');
    await keys.press('Enter');
    const first = await shown.innerText();
    expect(first).toMatch(/^svk_/);
    await page.getByText(`SIGNALBOX_API_KEY=${first}`).waitFor();
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await portal.picture('key-shown-once');
    await keys.press('Escape');
    await page.getByText('Have you stored it?').waitFor();
    await keys.press('Escape');
    await keys.focused(button('New key'));
    await page.getByText(first).waitFor({ state: 'detached' });
    await page
      .getByRole('row', { name: /deploy/ })
      .getByText('read, invoke')
      .waitFor();

    await keys.to(button('Rotate deploy'));
    await keys.press('Enter');
    await keys.focused(page.getByLabel('The old key works'));
    await keys.press('Escape');
    await keys.focused(button('Rotate deploy'));
    await keys.press('Enter');
    await keys.focused(page.getByLabel('The old key works'));
    await keys.to(button('Make the new key'));
    await keys.press('Enter');
    expect(await shown.innerText()).not.toBe(first);
    await keys.to(button('I have stored it'));
    await keys.press('Enter');
    await page
      .getByRole('row', { name: /deploy/ })
      .nth(1)
      .waitFor();

    const revoke = page.getByRole('button', { name: 'Revoke deploy', exact: true });
    const had = await revoke.count();
    await keys.to(revoke.first());
    await keys.press('Enter');
    await keys.to(button('Revoke the key'));
    await keys.press('Enter');
    await page.getByText('deploy is revoked.').waitFor();
    await page
      .getByRole('row', { name: /deploy/ })
      .getByText('Disabled')
      .waitFor();
    expect(await revoke.count()).toBe(had - 1);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('show every key, and more than a hundred names, of a company', async () => {
    const many = await platform.company('Hundreds');
    const api = createClient({ apiKey: many.key, baseUrl: platform.baseUrl });
    const { id: application_id } = await api.applications.create({ application_name: 'Shop' });
    for (let n = 1; n <= 101; n++) {
      await api.apiKeys.create({ name: `key ${n}`, scopes: ['read'] });
      await api.agents.create({ application_id, agent_name: `Agent ${n}` });
    }
    const portal = await signIn(many);
    const { page } = portal;
    await portal.open('/settings/keys');
    await page.getByRole('button', { name: 'Revoke key 101' }).waitFor();
    await portal.open('/approvals');
    const named = (name: string) => page.getByLabel('Agent').locator('option', { hasText: name });
    await named('Agent 101').waitFor({ state: 'attached' });
    await portal.open('/releases');
    await page.getByRole('button', { name: 'New release' }).click();
    await page
      .getByRole('dialog')
      .getByLabel('Of')
      .locator('option', { hasText: 'Agent 101' })
      .waitFor({ state: 'attached' });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await page.keyboard.press('Escape');
    await pages.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('button', { name: 'New agent' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Made just now');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'Made just now' }).waitFor();
    await pages.getByRole('link', { name: 'Approvals' }).click();
    await named('Made just now').waitFor({ state: 'attached' });
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('open a dialog again in the instant in which it was closed', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/settings/keys');
    const opener = page.getByRole('button', { name: 'New key', exact: true });
    await opener.click();
    const name = page.getByLabel('Name', { exact: true }).and(page.locator(':focus'));
    await name.waitFor();
    // Listens before the key is sent: an input can overtake an evaluation.
    await opener.evaluate((button) => {
      button.addEventListener('focus', () => (button as HTMLElement).click(), { once: true });
      document.querySelector('dialog')?.addEventListener('close', () => {
        // In a task of its own, after all that this event causes.
        setTimeout(() => button.setAttribute('data-closed', ''));
      });
    });
    await page.keyboard.press('Escape');
    await page.locator('button[data-closed]').waitFor({ state: 'attached' });
    expect(await page.getByRole('dialog').count()).toBe(1);
    await name.waitFor();
    await page.keyboard.press('Escape');
    await opener.and(page.locator(':focus')).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('say when a session cannot be closed, and that there is no clipboard', async () => {
    const portal = await signIn();
    const { page } = portal;
    const error = { error: { status: 503, message: 'the accounts service is down' } };
    await page.route('**/portal-sessions/*', (route) => route.fulfill({ status: 503, json: error }));
    await portal.open('/settings/sessions');
    await page.getByRole('button', { name: 'End' }).first().click();
    await page.getByRole('dialog', { name: 'End this session?' }).waitFor();
    expect(await portal.themeFaults('session-question')).toEqual([]);
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByText('the accounts service is down').waitFor();
    await page.keyboard.press('Escape');
    await page.route('**/session', (route) => route.fulfill({ status: 503, json: error }));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in').waitFor();
    await page.unroute('**/session');
    // As without HTTPS.
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await portal.open('/settings/assistants');
    await page.getByRole('button', { name: 'Copy the configuration' }).click();
    await page.getByRole('button', { name: 'Cannot copy here: select the text' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }, 180_000);

  it('say which part of the platform does not answer', async () => {
    const portal = await signIn();
    const { page } = portal;
    await report(page, 'degraded', { agents: 'down', traffic: 'ok' });
    await portal.open('/settings/health');
    await page.getByRole('row', { name: 'agents Down' }).waitFor();
    await page.getByRole('row', { name: 'traffic Up' }).waitFor();
    await page.getByText('Something does not answer.', { exact: false }).waitFor();
    await report(page, 'ok', { agents: 'ok', traffic: 'ok' });
    await page.getByRole('row', { name: 'agents Up' }).waitFor();
    await page.getByText('Everything answers.').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('say of what could not be loaded again that it may be out of date, until it is loaded', async () => {
    const portal = await signIn();
    const { page } = portal;
    await report(page, 'ok', { agents: 'ok' });
    await portal.open('/settings/health');
    await page.getByText('Everything answers.').waitFor();
    await page.unroute('**/readyz');
    await page.route('**/readyz', (route) => route.abort());
    const notice = page.getByText('What is shown may be out of date. The platform cannot be reached.');
    await notice.waitFor();
    await page.getByText('Everything answers.').waitFor();
    expect(await portal.looksFaults('outdated')).toEqual([]);
    await report(page, 'ok', { agents: 'ok' });
    await page.getByRole('button', { name: 'Load again' }).click();
    await notice.waitFor({ state: 'detached' });

    await portal.open('/approvals');
    const error = { error: { status: 503, message: 'the agents service is down' } };
    await page.route('**/api/v1/agents/tasks?*', (route) => route.fulfill({ status: 503, json: error }));
    const listed = page.getByText('The list may be out of date. the agents service is down.');
    await listed.waitFor();
    await page.unroute('**/api/v1/agents/tasks?*');
    await listed.waitFor({ state: 'detached' });
    expect(portal.faults.filter((fault) => !/ERR_FAILED|503/.test(fault))).toEqual([]);
  }, 180_000);

  it('have no fault that axe knows, in both themes, and fit into 320 pixels and 200 % zoom', async () => {
    const portal = await signIn();
    // Only some of the services run here.
    await report(portal.page, 'ok', { agents: 'ok', traffic: 'ok' });
    for (const address of PAGES) {
      await portal.open(address);
      expect([address, await portal.looksFaults(`${address.replaceAll('/', '-').slice(1)}`)]).toEqual([address, []]);
    }
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('are closed to a key without admin', async () => {
    const reader = { name: 'reader', scopes: ['read'] };
    const { key } = await platform.api(company.key).data<{ key: string }>('POST', '/api-keys', reader);
    const portal = await signIn({ key, companyId: company.companyId });
    await portal.open('/settings/audit');
    await portal.page.getByText('with the scope admin').waitFor();
    await portal.open('/settings/company');
    await portal.page.getByText('Only keys with the scope admin change these.').waitFor();
    await portal.open('/settings/webhooks');
    await portal.page
      .getByRole('button', { name: 'New webhook' })
      .and(portal.page.locator('[aria-disabled=true]'))
      .waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);
});
