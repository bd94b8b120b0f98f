/// <reference lib="dom" />
import { agents, applications } from '@signalbox/contracts';
import type { Platform } from '@signalbox/testing';
import { browserPath } from '@signalbox/testing/browser';
import { Keyboard } from './portal/keyboard.js';
import { describePages, PortalSite } from './portal/site.js';

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script> "'\`\${1}{{2}}`;
const PAGES = ['/', '/agents', '/runs', '/settings/keys', '/settings/sessions'];

if (browserPath() === null)
  process.stderr.write('no Chromium was found: the pages of the portal are not tested (set CHROMIUM_BIN)\n');

describePages('the portal in a browser', () => {
  let site: PortalSite;
  let platform: Platform;
  let company: { key: string; companyId: number };
  beforeAll(async () => {
    site = await PortalSite.start('Browsers');
    ({ platform, company } = site);
  }, 180_000);
  afterEach(() => site?.closePages());
  afterAll(() => site?.stop(), 40_000);

  const signIn = (who = company) => site.signIn(who);

  it('goes from the link to an answer in six clicks, and to why it ended as it did', async () => {
    const portal = await signIn();
    const { page } = portal;
    await page.getByRole('button', { name: 'Answer from a prompt' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Clerk');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('button', { name: /^Send/ }).click();
    await page.getByText('[simulated] hello').waitFor();
    await portal.picture('agent');
    await page.getByRole('link', { name: 'Open the run' }).click();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('row', { name: /Model simulated-echo/ }).click();
    await page.getByText('Prompt (').waitFor();
    await portal.picture('run');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('says how an OpenAI client is pointed at it, and shows a first recorded call', async () => {
    const portal = await signIn(await platform.company('Recorded'));
    const { page } = portal;
    await page.getByRole('button', { name: 'Watch an agent that runs elsewhere' }).click();
    await page.getByLabel('Settings of the client').getByText(`OPENAI_BASE_URL=${portal.origin}/api/v1`).waitFor();
    await page.getByRole('button', { name: 'Send a first call from here' }).click();
    await page.waitForURL('**/runs/request/*');
    await page.getByText('[simulated] hello').first().waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('does the same by keyboard alone', async () => {
    const portal = await signIn(await platform.company('Keyboard'));
    const { page } = portal;
    const keys = new Keyboard(page);
    await page.getByRole('button', { name: 'Call an API' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Helper');
    await page.keyboard.press('Enter');
    await page.getByText('find_order').waitFor();
    await page.getByLabel('Message').focus();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: 'Open the run' }).waitFor();
    await page.getByRole('heading', { name: 'Helper' }).click();
    await keys.goTo('r', '/runs');
    const grid = page.getByRole('grid', { name: 'Runs' });
    await grid.focus();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/runs/task/*');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('help');
    await page.getByRole('option', { name: /Helper/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('finds pages, names, ids, keys and how something is done, by keyboard alone', async () => {
    const searched = await platform.company('Searched');
    const caller = platform.caller(searched.companyId);
    const shop = { application_name: 'Shop', application_ref_name: 'shop' };
    const { id: application_id } = await platform.bus.call(
      applications.endpoints.createApplication,
      shop as never,
      caller,
    );
    const clerk = { application_id, agent_name: 'Refund clerk' };
    const { id: agent } = await platform.bus.call(agents.endpoints.createAgent, clerk as never, caller);
    const task = await platform
      .api(searched.key)
      .data<{ task_id: string }>('POST', `/agents/${agent}/invoke`, { message: 'hello' });

    const portal = await signIn(searched);
    const { page } = portal;
    const keys = new Keyboard(page);
    const field = page.getByRole('combobox', { name: 'Search' });
    const theme = page.getByRole('button', { name: 'Theme' });
    const chosen = page.locator('[role=option][aria-selected=true]');
    await keys.to(theme);
    for (const opens of ['Control+k', '/']) {
      await keys.press(opens);
      await keys.focused(field);
      await keys.press('Escape');
      await keys.focused(theme);
    }
    await keys.press('/');
    await keys.focused(field);
    await keys.type('session');
    await chosen.filter({ hasText: /^Sessions/ }).waitFor();
    await keys.press('ArrowDown');
    await chosen.filter({ hasText: 'Portal sessions' }).waitFor();
    await keys.press('ArrowUp');
    await chosen.filter({ hasText: /^Sessions/ }).waitFor();
    await keys.press('Enter');
    await page.waitForURL('**/sessions');

    await keys.press('Control+k');
    await keys.focused(field);
    await keys.type('refund');
    await chosen.filter({ hasText: 'Refund clerk' }).waitFor();
    await keys.press('Enter');
    await page.waitForURL(`**/agents/${agent}`);
    // What is pasted is looked for after Enter, too.
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    for (const [pasted, address] of [
      [task.task_id, `**/runs/task/${task.task_id}`],
      [searched.key, '**/settings/keys'],
    ] as const) {
      await keys.press('Control+k');
      await keys.focused(field);
      await page.keyboard.insertText(pasted);
      await keys.press('Enter');
      await page.waitForURL(address);
    }
    expect(sent.filter((url) => url.includes('svk_'))).toEqual([]);

    await keys.to(theme);
    await keys.press('/');
    await keys.focused(field);
    await keys.type('how do I invoke an agent?');
    await chosen.filter({ hasText: 'ask how it is done' }).waitFor();
    await keys.press('Enter');
    const dialog = page.getByRole('dialog');
    await keys.to(dialog.getByRole('link').first());
    await keys.press('Escape');
    await keys.focused(theme);
    await dialog.waitFor({ state: 'detached' });
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('lists the keys of each page, which do what it says', async () => {
    const portal = await signIn();
    const { page } = portal;
    const keys = new Keyboard(page);
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    const listed = async (): Promise<(string | null)[]> => {
      await keys.press('?');
      await dialog.waitFor();
      const here = dialog.getByRole('region', { name: 'On this page' }).locator('kbd');
      const found: (string | null)[] = [];
      // Read one by one: to read these all at once ends the process of the page in Firefox 153.
      for (const each of await here.all()) found.push(await each.textContent());
      expect(await portal.accessibilityFaults('light')).toEqual([]);
      await keys.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      return found;
    };
    const moves = ['J K ↓ ↑', 'Home End'];
    await portal.open('/runs');
    const grid = page.getByRole('grid');
    await grid.waitFor();
    expect(await listed()).toEqual([...moves, 'Enter', 'Space', 'X', 'Shift with a move']);
    await portal.open('/agents');
    await grid.waitFor();
    expect(await listed()).toEqual([...moves, 'Enter Space']);
    await keys.to(grid);
    await keys.press('Space');
    await page.waitForURL('**/agents/*');
    await page.getByLabel('Message').waitFor();
    await portal.settled();
    expect(await listed()).toContain('Ctrl Enter');

    await portal.open('/settings/keys');
    await page
      .getByRole('row', { name: /^admin/ })
      .first()
      .waitFor();
    expect(await listed()).toEqual(['J K', 'Enter Space']);
    await keys.to(page.getByRole('region', { name: 'API keys' }));
    await keys.press('j');
    await keys.focused(page.getByRole('button', { name: /^Rotate/ }).first());
    await keys.press('j', 'k');
    await keys.focused(page.getByRole('button', { name: /^Rotate/ }).first());
    // A dialog has keys of its own: the page behind it is not left.
    await keys.press('?');
    await dialog.waitFor();
    await keys.press('g', 'a', 'Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toMatch(/settings.keys$/);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('has no fault that axe knows, in both themes, and fits into 320 pixels and 200 % zoom', async () => {
    const portal = await signIn();
    for (const address of PAGES) {
      await portal.open(address);
      expect([address, await portal.looksFaults(`${address.replaceAll('/', '-').slice(1) || 'home'}`)]).toEqual([
        address,
        [],
      ]);
    }
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('says that a page could not be loaded or shown, and tries again when it is opened again', async () => {
    const portal = await signIn();
    const { page } = portal;
    const rail = page.getByRole('navigation', { name: 'Pages' });
    const failed = page.getByRole('heading', { name: 'This page could not be loaded' });
    await page.route('**/assets/approvals-*', (route) => route.abort());
    await rail.getByRole('link', { name: 'Approvals' }).click();
    await failed.waitFor();
    expect(await portal.looksFaults('page-not-loaded')).toEqual([]);
    await page.unroute('**/assets/approvals-*');
    await rail.getByRole('link', { name: 'Home' }).click();
    await failed.waitFor({ state: 'detached' });
    await rail.getByRole('link', { name: 'Approvals' }).click();
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();

    const broken = { data: [null], pagination: { offset: 0, limit: 100, total: 1 } };
    await page.route('**/api/v1/releases?**', (route) => route.fulfill({ json: broken }));
    await rail.getByRole('link', { name: 'Releases' }).click();
    await failed.waitFor();
    await page.unroute('**/api/v1/releases?**');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1, name: 'Releases' }).waitFor();
    expect(portal.faults.filter((fault) => !/ERR_FAILED|dynamically imported|null/.test(fault))).toEqual([]);
  }, 180_000);

  it('announces that its session ends, and goes on when a new one was opened beside it', async () => {
    const portal = await signIn();
    const { page } = portal;
    const session = `**/c/${company.companyId}/session`;
    await page.route(session, async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      await route.fulfill({ response, json: { data: { ...data, expires_at: Date.now() + 100_000 } } });
    });
    await portal.open('/agents');
    await page.getByRole('searchbox').first().fill('typed');
    const notice = page.getByRole('alert').filter({ hasText: 'Your session ends at' });
    await notice.waitFor();
    expect(await portal.looksFaults('session-ends')).toEqual([]);
    await page.unroute(session);
    const beside = page.context().waitForEvent('page');
    await notice.getByRole('link', { name: 'Sign in again in a new tab' }).click();
    const other = await beside;
    await other.getByLabel('API key').fill(company.key);
    await other.keyboard.press('Enter');
    await other.waitForURL(`**/c/${company.companyId}/`);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await notice.waitFor({ state: 'detached' });
    expect(await page.getByRole('searchbox').first().inputValue()).toBe('typed');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('shows hostile texts as text', async () => {
    const caller = platform.caller(company.companyId);
    const made = await platform.bus.call(
      applications.endpoints.createApplication,
      { application_name: `Hostile ${HOSTILE}`.slice(0, 150), application_ref_name: 'hostile' } as never,
      caller,
    );
    const { id } = JSON.parse(JSON.stringify(made)) as { id: number };
    await platform.bus.call(
      agents.endpoints.createAgent,
      { application_id: id, agent_name: HOSTILE, system_prompt: HOSTILE } as never,
      caller,
    );
    const portal = await signIn();
    await portal.open('/agents');
    await portal.page.getByRole('row', { name: /onerror/ }).click();
    await portal.page.getByLabel('Message').fill(HOSTILE);
    await portal.page.getByRole('button', { name: /^Send/ }).click();
    await portal.page.getByRole('link', { name: 'Open the run' }).click();
    await portal.page.getByText('[simulated]').first().waitFor();
    expect(await portal.page.title()).not.toBe('owned');
    expect(await portal.page.locator('main img, main script').count()).toBe(0);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('says what is missing: a scope, a match, a page, and the session when it has ended', async () => {
    const api = platform.api(company.key);
    const reader = { name: 'reader', scopes: ['read'] };
    const { key, id } = await api.data<{ key: string; id: number }>('POST', '/api-keys', reader);
    const portal = await signIn({ key, companyId: company.companyId });
    const { page } = portal;
    await portal.open('/settings/keys');
    await page.getByText('with the scope admin').waitFor();
    await portal.open('/agents?search=no-such-agent');
    await page.getByText('No agent matches.').waitFor();
    await page.getByRole('button', { name: 'New agent', disabled: true }).waitFor();
    await page.goto(`${portal.origin}/c/${company.companyId}/nowhere`);
    await page.getByText('There is no such page.').waitFor();
    await api.data('POST', `/api-keys/${id}/revoke`);
    await page.goto(`${portal.origin}/c/${company.companyId}/runs`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }, 180_000);
});
