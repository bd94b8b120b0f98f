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
    const asked = await fetch(`${platform.baseUrl}/agents/${agent}/invoke`, {
      method: 'POST',
      headers: { 'X-Service-Api-Key': searched.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ message: 'hello' }),
    });
    const { data: task } = (await asked.json()) as { data: { task_id: string } };

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
    const { body } = (await (
      await fetch(`${platform.baseUrl}/api-keys`, {
        method: 'POST',
        headers: { 'X-Service-Api-Key': company.key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'reader', scopes: ['read'] }),
      })
    )
      .json()
      .then((json: unknown) => ({ body: json }))) as { body: { data: { key: string; id: number } } };
    const portal = await signIn({ key: body.data.key, companyId: company.companyId });
    const { page } = portal;
    await portal.open('/settings/keys');
    await page.getByText('with the scope admin').waitFor();
    await portal.open('/agents?search=no-such-agent');
    await page.getByText('No agent matches.').waitFor();
    await page.getByRole('button', { name: 'New agent', disabled: true }).waitFor();
    await page.goto(`${portal.origin}/c/${company.companyId}/nowhere`);
    await page.getByText('There is no such page.').waitFor();
    await fetch(`${platform.baseUrl}/api-keys/${body.data.id}/revoke`, {
      method: 'POST',
      headers: { 'X-Service-Api-Key': company.key },
    });
    await page.goto(`${portal.origin}/c/${company.companyId}/runs`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }, 180_000);
});
