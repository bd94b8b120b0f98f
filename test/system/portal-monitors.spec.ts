/// <reference lib="dom" />
import { createClient, type Signalbox } from '@signalbox/sdk';
import { eventually, Platform } from '@signalbox/testing';
import { chromiumPath, FITS, launch, PortalPage } from '@signalbox/testing/browser';
import type { Browser } from 'playwright-core';

const path = chromiumPath();
const described = path === null && process.env.CI !== 'true' ? describe.skip : describe;

/** An answer of fewer than fifteen characters is a fault. */
const CONFIG = {
  runner: { resource_type: 'direct' as const },
  result: {
    fault: {
      kind: 'group' as const,
      op: 'AND' as const,
      children: [
        { kind: 'condition' as const, source: 'json', path: 'output.content', operator: 'length_lt', value: 15 },
      ],
    },
    default_outcome: 'PASS' as const,
  },
};

described('the pages of monitors', () => {
  let platform: Platform;
  let browser: Browser;
  let company: { key: string; companyId: number };
  let api: Signalbox;
  let monitor_id: number;
  beforeAll(async () => {
    const services = ['traffic', 'agents', 'workflows', 'monitors', 'test-runs'];
    platform = await Platform.shared(['accounts', 'gateway', ...services]);
    company = await platform.company('Watchers');
    api = createClient({ apiKey: company.key, baseUrl: platform.baseUrl });
    if (path === null) throw new Error('no Chromium was found');
    browser = await launch(path);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  }, 40_000);

  const signIn = () => PortalPage.signedIn(browser, platform, company);

  /** An agent with a monitor that finds a fault in two of its three answers, and opens an alert for them. */
  async function watched(): Promise<void> {
    const { id: application_id } = await api.applications.create({ application_name: 'Watched' });
    const { id: agent_id } = await api.agents.create({
      application_id,
      agent_name: 'Clerk',
      system_prompt: 'You help.',
    });
    await api.agents.publishVersion({ agent_id });
    const alert_rules = [{ metric: 'consecutive_faults' as const, threshold: 2 }];
    const monitor = await api.monitors.create({ name: 'Says enough', config: CONFIG as never, alert_rules });
    monitor_id = monitor.id;
    await api.monitors.attachTarget({ monitor_id, target_type: 'agent', target_id: agent_id, sample_rate: 100 });
    await api.monitors.publishVersion({ monitor_id });
    await api.monitors.activate({ monitor_id });
    for (const message of ['tell me more about it', 'a', 'b'])
      await api.agents.invoke({ agent_id, message, version: 'latest' });
    await eventually('three are judged', async () => (await api.monitors.listRuns({ monitor_id })).data.length === 3);
    await eventually('an alert is open', async () => (await api.monitors.listAlerts({ monitor_id })).data.length === 1);
  }

  it('say what is empty, then which monitor is loud, and why', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/monitors');
    await page.getByText('Nothing is watched yet.').waitFor();
    await portal.open('/alerts');
    await page.getByText('No alert is open.').waitFor();
    await watched();
    await portal.open('/monitors');
    await page.getByRole('cell', { name: '66.7 %' }).waitFor();
    await portal.picture('monitors');
    await page.getByRole('link', { name: 'Says enough' }).click();
    await page.getByText('66.7 % faults of 3 judged.').waitFor();
    await portal.picture('monitor');
    await page.getByLabel('Outcome').selectOption('FAULT');
    await page.getByText('2 rows').waitFor();
    await page.getByRole('grid', { name: 'Verdicts' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('cell', { name: 'yes' }).waitFor();
    await portal.picture('verdict');
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await page.keyboard.press('Escape');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('turn an alert into test items, and resolve it', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/monitors');
    await page.getByRole('link', { name: /1 open/ }).click();
    await page.getByText('2 faults in a row').click();
    const dialog = page.getByRole('dialog');
    await portal.picture('alert');
    await dialog.getByRole('button', { name: 'Add its 2 to a test set' }).click();
    await dialog.getByLabel('Name').fill('What was too short');
    await dialog.getByRole('button', { name: /^Add/ }).click();
    await eventually('the items are there', async () => {
      const { data } = await api.testSets.list();
      return data.find(({ name }) => name === 'What was too short')?.item_count === 2;
    });
    await page.keyboard.press('Escape');
    await page.getByText('2 faults in a row').click();
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('No alert is open.').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('have no fault that axe knows, in both themes, and fit into 320 pixels and 200 % zoom', async () => {
    const portal = await signIn();
    for (const address of ['/monitors', `/monitors/${monitor_id}`, '/alerts?status=all']) {
      await portal.open(address);
      for (const theme of ['light', 'dark'] as const) {
        expect([address, theme, await portal.accessibilityFaults(theme)]).toEqual([address, theme, []]);
        await portal.picture(`${address.replace(/\W+/g, '-').slice(1)}-${theme}`);
      }
      expect([address, await portal.overflows()]).toEqual([address, FITS]);
    }
    expect(portal.faults).toEqual([]);
  }, 180_000);
});
