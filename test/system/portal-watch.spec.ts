/// <reference lib="dom" />
import type { Signalbox } from '@signalbox/sdk';
import { eventually, type Platform } from '@signalbox/testing';
import type { PortalPage } from '@signalbox/testing/browser';
import type { Locator, Page } from 'playwright-core';
import { seedWaiting } from './portal/seeds.js';
import { describePages, PortalSite } from './portal/site.js';

const HOSTILE = '<img src=x onerror=alert(1)>';
const PRICED = 'priced-echo';
const UNPRICED = 'unpriced-echo';

/** Clicks the highest point of a chart over 24 hours; returns what it leads to by the table of the same values. */
async function clickHighest(chart: Locator): Promise<{ path: string; requests: number }> {
  const buckets = await chart.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) =>
      [...row.querySelectorAll('a')].map((link) => ({
        path: link.getAttribute('href') ?? '',
        requests: Number(link.textContent),
      })),
    ),
  );
  const highest = Math.max(...buckets.flat().map(({ requests }) => requests));
  const at = buckets.findIndex((points) => points.some(({ requests }) => requests === highest));
  const plot = chart.locator('.plot .u-over');
  const { width } = (await plot.boundingBox()) ?? { width: 0 };
  const x = (width * at) / (buckets.length - 1);
  // Its top stands a little below that of the plot.
  await plot.click({ position: { x: Math.min(Math.max(x, 2), width - 2), y: 16 } });
  return buckets[at]?.find(({ requests }) => requests === highest) ?? { path: '', requests: 0 };
}

describePages('the pages that watch traffic', () => {
  let site: PortalSite;
  let platform: Platform;
  let company: { key: string; companyId: number };
  let api: Signalbox;
  beforeAll(async () => {
    site = await PortalSite.start('Traffic', 'test-runs');
    ({ platform, company, api } = site);
  }, 180_000);
  afterEach(() => site?.closePages());
  afterAll(() => site?.stop(), 40_000);

  const signIn = () => site.signIn();
  const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

  /** A page says what fails when the services behind it do, and shows it all on the next try. */
  async function survivesFailures(portal: PortalPage, address: string, routes: string, shown: string): Promise<void> {
    const { page } = portal;
    const failure = { error: { status: 503, message: 'the service is not ready', details: [] } };
    await page.route(routes, (route) => route.fulfill({ status: 503, json: failure }));
    await portal.open(address);
    await said(page, 'the service is not ready. Try again in a moment.');
    await page.unroute(routes);
    const again = page.getByRole('button', { name: 'Try again' });
    // Each part of the page has its own, and loads again by itself at times.
    await eventually('nothing fails any more', async () => {
      if ((await again.count()) === 0) return true;
      await again
        .last()
        .click({ timeout: 1000 })
        .catch(() => undefined);
      return false;
    });
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
    const unpriced = await api.models.create({ model_name: UNPRICED, provider_id: provider?.id ?? 0 });
    const { id: application_id } = await api.applications.create({ application_name: 'Shop' });
    const { id: agent_id } = await api.agents.create({
      application_id,
      agent_name: HOSTILE,
      system_prompt: 'You help.',
      model: PRICED,
      max_cost: 0.000001,
    });
    for (const model of ['simulated-echo', 'simulated-echo', 'simulated-echo', PRICED, UNPRICED])
      await api.chat.create({ model, application: 'Shop', messages: [{ role: 'user', content: 'hello' }] });
    await api.agents.invoke({ agent_id, message: 'hello' });
    await portal.open('/usage?span=24h');
    const movers = page.getByRole('region', { name: 'Top movers' });
    await movers.getByRole('row', { name: new RegExp(`^${PRICED}`) }).waitFor();
    await page.locator('.plot canvas').nth(3).waitFor();
    await page.getByText('these models have no price').waitFor();
    expect(await portal.looksFaults('usage')).toEqual([]);
    await page.getByRole('button', { name: `Set prices of ${UNPRICED}` }).click();
    const prices = page.getByRole('dialog');
    await prices.getByText('What was recorded before keeps its cost.').waitFor();
    await prices.getByLabel('input tokens').fill('0.25');
    await prices.getByLabel('output tokens').fill('1');
    expect(await portal.looksFaults('usage-prices')).toEqual([]);
    await prices.getByRole('button', { name: 'Save' }).click();
    await page.getByText('these models have no price').waitFor({ state: 'detached' });
    expect(await api.models.get({ model_id: String(unpriced.id) })).toMatchObject({
      ...{ input_price_per_mtok: 0.25, output_price_per_mtok: 1 },
    });
    await page.getByLabel('Group by').selectOption('agent');
    await movers.getByRole('row', { name: /^<img src=x/ }).waitFor();
    const cap = page.getByRole('region', { name: 'Caps', exact: true }).getByRole('row', { name: /^<img src=x/ });
    await cap.getByText('$0.000001').waitFor();
    await cap.getByRole('progressbar').waitFor();
    expect(await portal.looksFaults('usage-caps')).toEqual([]);
    await page.getByLabel('Group by').selectOption('none');
    await portal.settled();
    await page.locator('.plot canvas').nth(3).waitFor();
    await portal.picture('usage-all');
    const csv = await portal.saved(() => page.getByRole('button', { name: 'Download as CSV' }).click());
    expect(csv.toString()).toMatch(/^from,key,name,requests.*\r\n.*,all,all,\d/);
    await page.getByRole('searchbox', { name: 'Model' }).fill('no such model');
    await said(page, 'No request matches these filters in this time.');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Group by').selectOption('model');
    const chart = page.getByRole('figure').filter({ hasText: 'Requests' }).last();
    await chart.getByText('As a table').click();
    // Where an hour has just ended, it is not the newest bucket that has them.
    await chart.getByRole('link', { name: '1', exact: true }).first().click();
    await page.waitForURL(/\/runs\?kind=Requests&model=.*&sort=-cost/);
    await page.getByText('1 row', { exact: true }).waitFor();
    let requests = 0;
    // The buckets move on when an hour ends between the look and the click.
    await eventually('the highest point leads to what its table says', async () => {
      await portal.open('/usage?span=24h');
      await chart.locator('.plot canvas').waitFor();
      const found = await clickHighest(chart);
      await page.waitForURL('**/runs?*');
      requests = found.requests;
      return page.url().endsWith(found.path);
    });
    await page.getByText(requests === 1 ? '1 row' : `${requests} rows`, { exact: true }).waitFor();
    await survivesFailures(portal, '/usage', '**/analytics/**', 'Top movers against the span before');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('make a sentinel, try it, and evaluate recorded requests after an estimate', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/evaluations');
    await said(page, 'Nothing was evaluated yet.');
    await portal.open('/reports');
    await said(page, 'No sentinel has found a fault.');
    await portal.open('/sentinels');
    await said(page, 'There is no sentinel yet.');
    const { data } = await api.applications.list();
    await api.intents.create({ application_id: data[0]?.id ?? 0, action_type: 'greeting' });
    for (const content of ['hello', HOSTILE])
      await api.chat.create({
        model: 'simulated-echo',
        application: 'Shop',
        intent: 'greeting',
        messages: [{ role: 'user', content }],
      });
    await portal.open('/sentinels');
    await page.getByRole('button', { name: 'New sentinel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What makes an answer faulty').fill('It is unfriendly.');
    await dialog.getByRole('textbox', { name: 'Name' }).fill(HOSTILE);
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await page.waitForURL('**/sentinels/*');
    const tried = page.getByRole('region', { name: 'Try' });
    await tried.getByRole('button', { name: 'Judge it' }).click();
    await tried.getByText('Pass', { exact: true }).waitFor();
    expect(await portal.looksFaults('sentinel')).toEqual([]);
    const instruction = page.getByLabel('What makes an answer faulty');
    await instruction.fill('It is rude.');
    for (const [turns, then] of [
      ['Disable', 'Enable'],
      ['Enable', 'Disable'],
    ] as const) {
      await page.getByRole('button', { name: turns, exact: true }).click();
      await page.getByRole('button', { name: then, exact: true }).waitFor();
    }
    expect(await instruction.inputValue()).toBe('It is rude.');
    await page.getByRole('link', { name: 'Agents' }).click();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await page.goBack();
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(await instruction.inputValue()).toBe('It is rude.');
    await page.getByRole('button', { name: 'Save it' }).click();
    await said(page, 'Saved. New traffic is judged by it.');
    await page.getByRole('link', { name: 'Evaluate recorded requests' }).click();
    await dialog.getByText('2 requests, 2 judgements', { exact: false }).waitFor();
    await dialog.getByRole('option', { name: 'greeting of Shop (2)' }).waitFor({ state: 'attached' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('All greetings');
    expect(await portal.accessibilityFaults('dark')).toEqual([]);
    await portal.picture('new-evaluation');
    await dialog.getByRole('button', { name: 'Start it' }).click();
    await page.waitForURL('**/evaluations/*');
    await page.getByText('2 of 2').waitFor();
    await page.getByText('100 %').waitFor();
    await page.getByRole('grid', { name: 'Results' }).getByText('Pass').nth(1).waitFor();
    await page.getByLabel('Verdict').selectOption('FAULT');
    await said(page, 'No request was judged so.');
    expect(await portal.looksFaults('evaluation')).toEqual([]);
    const [evaluation] = (await api.evaluations.list()).data;
    const shown = `**/api/v1/evaluations/${evaluation?.id}`;
    for (const [state, button, question] of [
      [{ status: 'RUNNING' }, 'Cancel', 'Cancel this evaluation?'],
      [{ errors_by_class: { provider: 1 } }, /^Judge the errors again/, 'Judge the errors again?'],
    ] as const) {
      await page.route(shown, (route) => route.fulfill({ json: { data: { ...evaluation, ...state } } }));
      await portal.open(`/evaluations/${evaluation?.id}`);
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('dialog', { name: question }).waitFor();
      await page.unroute(shown);
    }
    expect(await portal.themeFaults('evaluation-question')).toEqual([]);
    await portal.open('/sentinels?search=nothing');
    await said(page, 'No sentinel matches.');
    await portal.open('/evaluations?status=CANCELLED');
    await said(page, 'No evaluation is so.');
    for (const each of ['/sentinels', '/evaluations', '/reports', '/reports?report=Fallbacks']) {
      await portal.open(each);
      expect(await portal.looksFaults(each.replace(/\W+/g, '-').slice(1))).toEqual([]);
    }
    await survivesFailures(portal, '/reports', '**/reports/**', 'No sentinel has found a fault.');
    await survivesFailures(portal, '/sentinels', '**/api/v1/sentinels?*', HOSTILE);
    await survivesFailures(portal, '/evaluations', '**/api/v1/evaluations?*', 'All greetings');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('list what waits for an approval, with its deadline, on Home as well', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/approvals');
    await said(page, 'Nothing waits for an approval.');
    const { data: agents } = await api.agents.list();
    const { data: applications } = await api.applications.list();
    const places = { company: company.companyId, application: applications[0]?.id ?? 0, agent: agents[0]?.id ?? 0 };
    await seedWaiting(platform.sql, places);
    await portal.open('/');
    await page.getByRole('link', { name: '1 run waits for an approval' }).click();
    await page.waitForURL('**/approvals');
    const grid = page.getByRole('grid', { name: 'Approvals' });
    await grid.getByText('May I?').waitFor();
    await grid.focus();
    await page.keyboard.press('Space');
    await page.getByRole('complementary').getByRole('link', { name: 'Open the run' }).waitFor();
    expect(await portal.looksFaults('approvals')).toEqual([]);
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByRole('dialog').getByText('It stops waiting').waitFor();
    await page.keyboard.press('Escape');
    await survivesFailures(portal, '/approvals', '**/agents/tasks?*', 'May I?');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('lead from a count of an hour to the rows of that hour', async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'Hourly' });
    await api.agents.create({ application_id, agent_name: 'Hourly', system_prompt: 'You help.' });
    const portal = await signIn();
    const { page } = portal;
    const pagination = { offset: 0, limit: 1, total: 2 };
    await page.route(/\/agents\/tasks\?.*start_date/, (route) => route.fulfill({ json: { data: [], pagination } }));
    await portal.open('/');
    await page.getByRole('link', { name: '2 tasks failed within an hour' }).click();
    await page.waitForURL('**/runs?status=FAILED&since=1h');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('say what a key without a scope may not do', async () => {
    const { key } = await api.apiKeys.create({ name: 'reader', scopes: ['read'] });
    const portal = await site.signIn({ ...company, key: key ?? '' });
    const { page } = portal;
    const locked = [
      ['/sentinels', 'New sentinel'],
      ['/evaluations', 'New evaluation'],
      ['/criteria', 'New criterion'],
      ['/monitors', 'New monitor'],
    ] as const;
    for (const [address, button] of locked) {
      await portal.open(address);
      await page.getByRole('button', { name: button, disabled: true }).waitFor();
    }
    expect(portal.faults).toEqual([]);
  }, 180_000);
});
