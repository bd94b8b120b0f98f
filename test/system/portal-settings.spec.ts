/// <reference lib="dom" />
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
  }, 40_000);

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
    const call = async (method: string, address: string, body: object): Promise<{ id: number }> => {
      const headers = { 'X-Service-Api-Key': company.key, 'Content-Type': 'application/json' };
      const response = await fetch(`${platform.baseUrl}${address}`, { method, headers, body: JSON.stringify(body) });
      return ((await response.json()) as { data: { id: number } }).data;
    };
    const { id: application_id } = await call('POST', '/applications', { application_name: 'Shop' });
    const { id } = await call('POST', '/agents', { application_id, agent_name: 'Order desk' });
    await call('POST', `/agents/${id}/versions`, {});
    await call('POST', `/agents/${id}/releases`, { name: 'live', version: 'latest' });
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/settings/assistants');
    await page.getByRole('combobox', { name: 'Client' }).selectOption('config.toml (mcp_servers)');
    await page.getByRole('combobox', { name: 'Address' }).selectOption('/mcp/run');
    await page.getByText(`url = "${platform.baseUrl}/mcp/run"`).waitFor();
    const tool = page.getByRole('checkbox', { name: 'Order desk, live is a tool' });
    await tool.click();
    const isTool = async (): Promise<boolean> => {
      const response = await fetch(`${platform.baseUrl}/agents/${id}/releases/live`, {
        headers: { 'X-Service-Api-Key': company.key },
      });
      return ((await response.json()) as { data: { mcp_enabled: boolean } }).data.mcp_enabled;
    };
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
    const response = await fetch(`${platform.baseUrl}/api-keys`, {
      method: 'POST',
      headers: { 'X-Service-Api-Key': company.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'reader', scopes: ['read'] }),
    });
    const { data } = (await response.json()) as { data: { key: string } };
    const portal = await signIn({ key: data.key, companyId: company.companyId });
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
