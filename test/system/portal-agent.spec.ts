/// <reference lib="dom" />
import { createClient, type Signalbox } from '@signalbox/sdk';
import { Platform } from '@signalbox/testing';
import { chromiumPath, FITS, launch, PortalPage } from '@signalbox/testing/browser';
import type { Browser } from 'playwright-core';

const path = chromiumPath();
const described = path === null && process.env.CI !== 'true' ? describe.skip : describe;

const FIND_ORDER = {
  action_name: 'find_order',
  action_type: 'api' as const,
  description: 'Find an order',
  action_config: {
    ...{ method: 'GET' as const, base_url: 'https://orders.example', endpoint: '/orders' },
    mock_response: { status: 'shipped' },
  },
};

described('the page of an agent', () => {
  let platform: Platform;
  let browser: Browser;
  let company: { key: string; companyId: number };
  let api: Signalbox;
  let agent_id: number;
  beforeAll(async () => {
    platform = await Platform.shared(['accounts', 'traffic', 'agents', 'workflows', 'monitors', 'gateway']);
    company = await platform.company('Builders');
    api = createClient({ apiKey: company.key, baseUrl: platform.baseUrl });
    const { id: application_id } = await api.applications.create({ application_name: 'Shop' });
    const create = (agent_name: string) =>
      api.agents.create({ application_id, agent_name, system_prompt: 'You help.' });
    agent_id = (await create('Front desk')).id;
    const child = await create('Refunds');
    await api.agents.publishVersion({ agent_id: child.id });
    await api.agents.createAction({ agent_id, ...FIND_ORDER });
    if (path === null) throw new Error('no Chromium was found');
    browser = await launch(path);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  }, 40_000);

  const open = async (): Promise<PortalPage> => {
    const portal = await PortalPage.signedIn(browser, platform, company);
    await portal.open(`/agents/${agent_id}`);
    return portal;
  };

  it('tests and changes an action', async () => {
    const portal = await open();
    const { page } = portal;
    await page.getByRole('button', { name: 'find_order', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Run it' }).click();
    await dialog.getByLabel('Output').getByText('shipped').waitFor();
    await portal.picture('agent-action');
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await dialog.getByLabel('What it does').fill('Find an order by its number');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Find an order by its number' }).waitFor();
    await page.keyboard.press('Escape');
    expect(portal.faults).toEqual([]);
  }, 120_000);

  it('gives it a sub-agent and a rule that routes to it', async () => {
    const portal = await open();
    const { page } = portal;
    const children = page.getByRole('region', { name: 'Sub-agents', exact: true });
    await children.getByText('It asks no other agent.').waitFor();
    await children.getByRole('button', { name: 'Add sub-agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: /^Agent/ }).selectOption({ label: 'Refunds' });
    await dialog.getByRole('button', { name: 'Add it' }).click();
    await children.getByRole('link', { name: 'Refunds' }).waitFor();

    const routing = page.getByRole('region', { name: 'Routing', exact: true });
    for (const [label, value] of [
      ['Money back', 'refund'],
      ['Late', 'where is'],
    ] as const) {
      await routing.getByRole('button', { name: 'New rule' }).click();
      await dialog.getByLabel('Name').fill(label);
      await dialog.getByLabel('Value').fill(value);
      await dialog.getByRole('combobox', { name: /^Agent/ }).selectOption({ label: 'Refunds' });
      await dialog.getByRole('button', { name: 'Add it' }).click();
      await routing.getByText(`the message contains «${value}»`).waitFor();
    }
    await routing.getByLabel('Routes are chosen').selectOption('rules');
    await routing.getByRole('button', { name: 'Move Late up' }).click();
    await routing.getByRole('row').nth(1).getByText('Late').waitFor();
    await routing.getByLabel('A message').fill('I want a refund');
    await routing.getByRole('button', { name: 'Where does it go?' }).click();
    await routing.getByText('Rule «Money back»: Refunds answers.').waitFor();
    await portal.picture('agent-routing');
    expect(portal.faults).toEqual([]);
  }, 120_000);

  it('collects fields in an order', async () => {
    const portal = await open();
    const { page } = portal;
    const fields = page.getByRole('region', { name: 'Form fields', exact: true });
    const dialog = page.getByRole('dialog');
    for (const [key, label] of [
      ['order', 'Order'],
      ['size', 'Size'],
    ] as const) {
      await fields.getByRole('button', { name: 'New field' }).click();
      await dialog.getByLabel('Key').fill(key);
      await dialog.getByLabel('Label').fill(label);
      if (key === 'size') {
        await dialog.getByLabel('Type').selectOption('enum');
        await dialog.getByLabel('Choices').fill('S, M');
      }
      await dialog.getByRole('button', { name: 'Add it' }).click();
      await fields.getByText(label, { exact: false }).first().waitFor();
    }
    await fields.getByRole('cell', { name: 'S, M' }).waitFor();
    await fields.getByRole('button', { name: 'Move Size up' }).click();
    await fields.getByRole('row').nth(1).getByText('size').waitFor();
    for (const theme of ['light', 'dark'] as const) {
      expect([theme, await portal.accessibilityFaults(theme)]).toEqual([theme, []]);
      await portal.picture(`agent-build-${theme}`);
    }
    expect(await portal.overflows()).toEqual(FITS);
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    const top = await page.getByRole('region', { name: 'Try' }).evaluate((card) => card.getBoundingClientRect().top);
    // Below the bar of the frame, whatever was scrolled.
    expect(top).toBeGreaterThanOrEqual(48);
    expect(await page.title()).toContain('Agent ·');
    await fields.getByRole('button', { name: 'Delete' }).first().click();
    await fields.getByRole('cell', { name: 'S, M' }).waitFor({ state: 'detached' });
    expect(portal.faults).toEqual([]);
  }, 120_000);
});
