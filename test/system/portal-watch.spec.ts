/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { createClient, type Signalbox } from '@signalbox/sdk';
import { Platform } from '@signalbox/testing';
import { chromiumPath, launch, PortalPage } from '@signalbox/testing/browser';
import type { Browser, Page } from 'playwright-core';

const path = chromiumPath();
const described = path === null && process.env.CI !== 'true' ? describe.skip : describe;
const HOSTILE = '<img src=x onerror=alert(1)>';
const PRICED = 'priced-echo';

described('the pages that watch traffic', () => {
  let platform: Platform;
  let browser: Browser;
  let company: { key: string; companyId: number };
  let api: Signalbox;
  beforeAll(async () => {
    const services = ['traffic', 'agents', 'workflows', 'monitors', 'test-runs'];
    platform = await Platform.shared(['accounts', 'gateway', ...services]);
    company = await platform.company('Traffic');
    api = createClient({ apiKey: company.key, baseUrl: platform.baseUrl });
    if (path === null) throw new Error('no Chromium was found');
    browser = await launch(path);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  }, 40_000);

  const signIn = () => PortalPage.signedIn(browser, platform, company);
  const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

  /** Axe in both themes with a picture of each, and the width of a phone. */
  async function looksRight(portal: PortalPage, name: string): Promise<void> {
    for (const theme of ['light', 'dark'] as const) {
      expect([name, theme, await portal.accessibilityFaults(theme)]).toEqual([name, theme, []]);
      await portal.picture(`${name}-${theme}`);
    }
    await portal.page.setViewportSize({ width: 320, height: 700 });
    expect([name, await portal.page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, 320]);
    await portal.page.setViewportSize({ width: 1280, height: 800 });
  }

  /** A page says what fails when the services behind it do, and shows it all on the next try. */
  async function survivesFailures(portal: PortalPage, address: string, routes: string, shown: string): Promise<void> {
    const { page } = portal;
    const failure = { error: { status: 503, message: 'the service is not ready', details: [] } };
    await page.route(routes, (route) => route.fulfill({ status: 503, json: failure }));
    await portal.open(address);
    await said(page, 'the service is not ready. Try again in a moment.');
    await page.unroute(routes);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await said(page, shown);
    // What the browser itself says of the replies that were made to fail.
    portal.faults.splice(0);
  }

  it('show where cost and time go, and what a point stands for', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/usage');
    await said(page, 'No model was asked in this time.');
    const [provider] = (await api.models.listProviders()).data;
    await api.models.create({
      model_name: PRICED,
      provider_id: provider?.id ?? 0,
      input_price_per_mtok: 1000,
      output_price_per_mtok: 2000,
    });
    const { id: application_id } = await api.applications.create({ application_name: 'Shop' });
    const { id: agent_id } = await api.agents.create({
      application_id,
      agent_name: HOSTILE,
      system_prompt: 'You help.',
    });
    for (const model of ['simulated-echo', 'simulated-echo', PRICED])
      await api.chat.create({ model, application: 'Shop', messages: [{ role: 'user', content: 'hello' }] });
    await api.agents.invoke({ agent_id, message: 'hello' });
    await portal.open('/usage?span=24h');
    const movers = page.getByRole('region', { name: 'Top movers' });
    await movers.getByRole('row', { name: new RegExp(`^${PRICED}`) }).waitFor();
    await page.locator('.plot canvas').nth(3).waitFor();
    await looksRight(portal, 'usage');
    await page.getByLabel('Group by').selectOption('agent');
    await movers.getByRole('row', { name: /^<img src=x/ }).waitFor();
    await page.getByLabel('Group by').selectOption('none');
    await portal.settled();
    await page.locator('.plot canvas').nth(3).waitFor();
    await portal.picture('usage-all');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    expect(await readFile(await (await saved).path(), 'utf8')).toMatch(/^from,key,name,requests.*\r\n.*,all,all,\d/);
    await page.getByRole('searchbox', { name: 'Model' }).fill('no such model');
    await said(page, 'No request matches these filters in this time.');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Group by').selectOption('model');
    const chart = page.getByRole('figure').filter({ hasText: 'Requests' }).last();
    await chart.getByText('As a table').click();
    await chart.getByRole('row').last().getByRole('link', { name: '1', exact: true }).click();
    await page.waitForURL(/\/runs\?kind=Requests&model=.*&sort=-cost/);
    await said(page, '1 row');
    await page.goBack();
    await page.locator('.plot').last().hover();
    await page
      .locator('.plot')
      .last()
      .click({ position: { x: 1, y: 1 }, force: true });
    await survivesFailures(portal, '/usage', '**/analytics/**', 'Top movers against the span before');
    expect(portal.faults).toEqual([]);
  }, 180_000);
});
