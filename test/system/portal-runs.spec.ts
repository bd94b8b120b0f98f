/// <reference lib="dom" />
import { eventually, type Platform } from '@signalbox/testing';
import type { Page } from 'playwright-core';
import { Keyboard } from './portal/keyboard.js';
import { EVENTS, LONG_SESSION, LONG_TASK, seed, TASKS, TURNS, WAITING_TASK, WORKFLOW_RUN } from './portal/seeds.js';
import { describePages, PortalSite } from './portal/site.js';

/** More than these are never in the document, however long a list is. */
const MOST_NODES = 900;

interface Run {
  id: string;
  status: string;
}

describePages('what ran, in a browser', () => {
  let site: PortalSite;
  let platform: Platform;
  let company: { key: string; companyId: number };
  let agent: number;

  beforeAll(async () => {
    site = await PortalSite.start('Runs', 'test-runs');
    ({ platform, company } = site);
    const { id: application } = await site.api.applications.create({ application_name: 'Shop' });
    ({ id: agent } = await site.api.agents.create({ application_id: application, agent_name: 'Clerk' }));
    await seed(platform.sql, { company: company.companyId, application, agent });
  }, 180_000);
  afterEach(() => site?.closePages());
  afterAll(() => site?.stop(), 40_000);

  const signIn = (who = company) => site.signIn(who);

  const api = <T>(method: string, address: string, body?: object) =>
    platform.api(company.key).data<T>(method, address, body);
  const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);
  const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

  it('puts three chosen runs into a new test set by keyboard, and four into the same one by mouse', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/runs?status=COMPLETED&agent_id=' + agent);
    const grid = page.getByRole('grid', { name: 'Runs' });
    await grid.focus();
    for (const key of ['x', 'Shift+J', 'Shift+J']) await page.keyboard.press(key);
    await said(page, '3 chosen');
    for (let n = 0; n < 3; n++) await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name of the new test set' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Regressions');
    await page.keyboard.press('Enter');
    await said(page, '3 added, 0 were there already.');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add to test set' }).and(page.locator(':focus')).waitFor();

    const [set] = await api<{ id: number; name: string; item_count: number }[]>('GET', '/unified-test-sets');
    const items = await api<{ source_id: string }[]>('GET', `/unified-test-sets/${set?.id}/items`);
    const first = await api<Run[]>('GET', `/agents/tasks?status=COMPLETED&agent_id=${agent}&limit=3`);
    expect([set?.name, set?.item_count]).toEqual(['Regressions', 3]);
    expect(items.map(({ source_id }) => source_id).sort()).toEqual(first.map(({ id }) => id).sort());

    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    const check = (row: number) => grid.getByRole('row').nth(row).locator('.check');
    await check(1).click();
    await check(4).click({ modifiers: ['Shift'] });
    await said(page, '4 chosen');
    await page.getByRole('button', { name: 'Add to test set' }).click();
    await page.getByRole('dialog').getByRole('combobox').selectOption(String(set?.id));
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await said(page, '1 added, 3 were there already.');
    await portal.picture('added-to-test-set');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('peeks at a run, follows the cursor, and gives the focus back', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/runs?status=COMPLETED');
    const grid = page.getByRole('grid', { name: 'Runs' });
    await grid.focus();
    await page.keyboard.press('Space');
    const panel = page.getByRole('complementary', { name: 'Run' });
    await panel.getByText('listed answer 4999').waitFor();
    await page.keyboard.press('j');
    await panel.getByText('listed answer 4998').waitFor();
    const handle = panel.getByRole('separator');
    await handle.focus();
    const width = Number(await handle.getAttribute('aria-valuenow'));
    await page.keyboard.press('ArrowLeft');
    await panel.locator(`[role=separator][aria-valuenow="${width + 20}"]`).waitFor();
    await page.keyboard.press('Escape');
    await grid.and(page.locator(':focus')).waitFor();
    await panel.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.waitForURL('**/runs/task/*');
    await said(page, 'listed answer 4998');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('shows that there are new runs without moving the list, and then the runs when asked', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/runs?text=news&agent_id=${agent}`);
    await page.getByText('No run matches these filters.').waitFor();
    await api('POST', `/agents/${agent}/invoke`, { message: 'old news' });
    const first = page.getByRole('grid').getByRole('row').nth(1);
    await first.getByText('old news').waitFor();
    await api('POST', `/agents/${agent}/invoke`, { message: 'latest news' });
    const pill = page.getByRole('button', { name: '1 new' });
    await pill.waitFor();
    expect(await first.innerText()).toContain('old news');
    await portal.picture('runs-news');
    await pill.click();
    await first.getByText('latest news').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('runs again and cancels, after a question', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/runs?text=news&agent_id=${agent}`);
    const before = (await api<Run[]>('GET', '/agents/tasks?text=news')).length;
    await page.getByRole('grid').focus();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
    await said(page, '1 of 1 run again.');
    expect(await api<Run[]>('GET', '/agents/tasks?text=news')).toHaveLength(before + 1);
    await portal.open('/runs?status=WAITING_WEBHOOK');
    await page.getByRole('grid').focus();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('It cannot be taken back').waitFor();
    await page.keyboard.press('Escape');
    expect((await api<Run>('GET', `/agents/tasks/${WAITING_TASK}`)).status).toBe('WAITING_WEBHOOK');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('keeps a live run in view over a restart of the gateway', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/runs/task/${WAITING_TASK}`);
    const gateway = platform.service('gateway');
    await gateway.kill();
    await said(page, 'The connection is lost.');
    await portal.picture('run-lost');
    await gateway.start();
    await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
    await api('POST', `/agents/${agent}/tasks/${WAITING_TASK}/cancel`);
    await page.locator('.lamp', { hasText: 'Cancelled' }).waitFor();
    // What fails while nothing listens is said by the browser.
    expect(portal.faults.filter((fault) => !fault.includes('ERR_'))).toEqual([]);
  }, 180_000);

  it('moves through a hundred thousand rows', async () => {
    const portal = await signIn();
    const { page } = portal;
    const total = 100_000;
    // The rows are real ones; their number is not.
    await page.route('**/api/v1/agents/tasks?**', async (route) => {
      const address = new URL(route.request().url());
      const offset = Number(address.searchParams.get('offset') ?? 0);
      address.searchParams.set('offset', String(offset % (TASKS - 100)));
      const reply = await route.fetch({ url: address.href });
      const body = (await reply.json()) as { pagination: { total: number; offset: number } };
      await route.fulfill({ response: reply, json: { ...body, pagination: { ...body.pagination, total, offset } } });
    });
    await portal.open('/runs');
    await said(page, '100,000 rows');
    const grid = page.getByRole('grid', { name: 'Runs' });
    await grid.focus();
    await page.keyboard.press('End');
    await page.locator(`[aria-rowindex="${total + 1}"]`, { hasText: 'listed question' }).waitFor();
    expect(await nodes(page)).toBeLessThan(MOST_NODES);
    for (let n = 0; n < 20; n++) await page.keyboard.press('PageUp');
    await page.locator('.row.cursor', { hasText: 'listed question' }).waitFor();
    expect(await nodes(page)).toBeLessThan(MOST_NODES);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('shows a timeline of thirty thousand events as it arrives, folds it, and finds its errors', async () => {
    const portal = await signIn();
    const { page } = portal;
    let letThrough = (): void => undefined;
    const isShown = new Promise<void>((resolve) => (letThrough = resolve));
    let asked = 0;
    // The rows do not wait for the rest, which comes after them.
    await page.route('**/timeline?*', async (route) => {
      if (asked++ > 0) await isShown;
      await route.continue();
    });
    await portal.open(`/runs/task/${LONG_TASK}`);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByRole('row', { name: /Model/ }).first().waitFor();
    letThrough();
    await said(page, `steps of ${EVENTS.toLocaleString('en-US')} events`);
    expect(await nodes(page)).toBeLessThan(MOST_NODES);
    const grid = page.getByRole('grid', { name: 'Steps' });
    const unfolded = Number(await grid.getAttribute('aria-rowcount'));
    // Its first error was shown when the timeline opened, in a sub-agent that is unfolded for it.
    const panel = page.getByRole('complementary', { name: 'Action find_order' });
    const input = (order: number) =>
      panel.locator('pre[aria-label="Input"]', { hasText: `"order": ${order}` }).waitFor();
    await input(399);
    await page.locator('.row.cursor', { hasText: 'Error' }).waitFor();
    expect(await grid.and(page.locator(':focus')).count()).toBe(0);
    await page.getByRole('button', { name: 'Fold sub-agents' }).click();
    await eventually('they are folded', async () => Number(await grid.getAttribute('aria-rowcount')) < unfolded);
    await grid.focus();
    await page.keyboard.press('Home');
    for (const order of [399, 19_999, 399, 19_999]) {
      await page.keyboard.press('e');
      await input(order);
      await page.locator('.row.cursor', { hasText: 'Error' }).waitFor();
    }
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBe(unfolded);
    await portal.picture('run-long');
    await page.keyboard.press('End');
    await page.getByRole('complementary', { name: 'task end' }).waitFor();
    expect(await nodes(page)).toBeLessThan(MOST_NODES);
    expect(portal.faults).toEqual([]);
  }, 240_000);

  it('leads from the list to the cause of a failure and to what is done about it, by keyboard alone', async () => {
    const portal = await signIn();
    const { page } = portal;
    const keys = new Keyboard(page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const grid = page.getByRole('grid', { name: 'Runs' });
    await keys.goTo('r', '/runs');
    await keys.to(page.locator('summary', { hasText: 'Failure' }));
    await keys.press('Enter');
    await keys.to(page.getByRole('checkbox', { name: 'provider' }));
    await keys.press('Space', 'Escape');
    await keys.focused(page.locator('summary', { hasText: 'Failure' }));
    await page.getByText('1 row', { exact: true }).waitFor();
    await portal.settled();
    await keys.to(grid);
    await keys.press('Space');
    await page.getByRole('complementary', { name: 'Run' }).getByText('the provider answered').waitFor();
    await keys.press('Escape');
    await keys.focused(grid);
    await keys.press('Enter');
    await page.waitForURL(`**/runs/task/${LONG_TASK}`);
    await said(page, /A model provider or a called API failed/);

    await keys.tab('Timeline');
    // The failing step is shown, and the focus stays.
    const panel = page.getByRole('complementary', { name: 'Action find_order' });
    const input = panel.locator('pre[aria-label="Input"]');
    await input.getByText('"order": 399').waitFor();
    await keys.focused(page.getByRole('tab', { name: 'Timeline' }));
    await page.getByRole('button', { name: /^Next of 2 errors/ }).waitFor();
    await keys.press('e');
    await keys.focused(page.getByRole('grid', { name: 'Steps' }));
    await input.getByText('"order": 19999').waitFor();
    await keys.to(input);
    await keys.to(panel.locator('pre[aria-label="Output"]'));
    await keys.enter(panel.locator('summary', { hasText: 'Raw' }));
    await panel.locator('pre[aria-label="What happened"]').waitFor();
    await keys.press('Escape');
    await keys.focused(page.getByRole('grid', { name: 'Steps' }));
    await panel.waitFor({ state: 'detached' });

    await keys.enter(button('Add to test set'));
    await keys.focused(page.getByLabel('Test set'));
    await keys.to(page.getByLabel('What it should have answered'));
    await keys.type('One, two, many');
    await keys.enter(button('Add'));
    await said(page, 'Added to Regressions.');
    await keys.focused(button('Add to test set'));
    const [set] = await api<{ id: number }[]>('GET', '/unified-test-sets');
    const items = await api<object[]>('GET', `/unified-test-sets/${set?.id}/items?sort=-position&limit=1`);
    expect(items).toMatchObject([
      {
        input: { messages: [{ role: 'user', content: 'Count to many' }] },
        expected_output: { text: 'One, two, many' },
      },
    ]);

    await keys.enter(button('Run again'));
    await keys.focused(page.getByLabel('On'));
    await keys.press('Escape');
    await keys.focused(button('Run again'));
    await keys.press('Enter');
    await keys.focused(page.getByLabel('On'));
    await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Run again' }));
    await page.waitForURL((url) => !url.pathname.endsWith(LONG_TASK) && url.pathname.includes('/runs/task/'));
    await said(page, '[simulated] Count to many');

    await keys.enter(page.getByRole('link', { name: 'Open in Try' }));
    const message = page.getByLabel('Message');
    await keys.focused(message);
    expect(await message.inputValue()).toBe('Count to many');
    await keys.press('Control+Enter');
    await page.getByRole('region', { name: 'Try' }).getByText('[simulated] Count to many').waitFor();
    expect(portal.faults).toEqual([]);
  }, 240_000);

  it('leads from the list to the cause of a failure by mouse, and to the step that an address names', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/runs?failure_class=provider');
    await page.getByRole('row', { name: /Count to many/ }).click();
    await page.getByRole('link', { name: 'Open the run' }).click();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const panel = page.getByRole('complementary', { name: 'Action find_order' });
    const input = (order: number) =>
      panel.locator('pre[aria-label="Input"]', { hasText: `"order": ${order}` }).waitFor();
    await input(399);
    await page.locator('.row.cursor', { hasText: 'Error' }).waitFor();
    await page.getByRole('button', { name: /^Next of 2 errors/ }).click();
    await input(19_999);
    await page.waitForURL(/step=19998/);
    await page.reload();
    await input(19_999);
    await page.locator('.row.cursor', { hasText: 'Error' }).waitFor();
    await portal.open(`/runs/task/${LONG_TASK}?tab=Timeline&step=2`);
    await page.getByRole('complementary', { name: 'Action find_order' }).waitFor();
    await input(3);
    await page.getByRole('button', { name: 'Close the panel' }).click();
    await page.waitForURL((url) => !url.search.includes('step='));

    // Where a panel covers the list, it waits to be asked for.
    await page.setViewportSize({ width: 390, height: 800 });
    await portal.open(`/runs/task/${LONG_TASK}?tab=Timeline`);
    await page.locator('.row.cursor', { hasText: 'Error' }).waitFor();
    expect(await panel.count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });

    // A run that did not fail opens as it is.
    const { task_id } = await api<{ task_id: string }>('POST', `/agents/${agent}/invoke`, { message: 'hello' });
    await portal.open(`/runs/task/${task_id}?tab=Timeline`);
    await page.getByRole('row', { name: /Answer/ }).waitFor();
    expect(await page.getByRole('complementary').count()).toBe(0);
    expect(portal.faults).toEqual([]);
  }, 240_000);

  it('reads a session of thousands of turns to its end, and writes feedback and a correction', async () => {
    const portal = await signIn();
    const { page } = portal;
    for (const odd of ['100% sure', 'a%2Fb']) {
      await portal.open(`/sessions/${encodeURIComponent(odd)}`);
      await page.locator('.head code', { hasText: odd }).waitFor();
    }
    await portal.open(`/sessions/${LONG_SESSION}`);
    await said(page, `${TURNS.toLocaleString('en-US')} turns`);
    await page.getByRole('button', { name: 'Go to the end' }).click();
    const last = page.getByRole('article').filter({ hasText: `answer to turn ${TURNS}` });
    await last.waitFor();
    expect(await nodes(page)).toBeLessThan(2 * MOST_NODES);
    await last.getByRole('button', { name: 'Correct' }).click();
    await page.getByRole('textbox', { name: /^Answer/ }).fill('Better than that.');
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await last.getByText('Better than that.').waitFor();
    await page.getByLabel('4', { exact: true }).check();
    await page.getByLabel('What was good or bad').fill('Too long');
    await page.getByRole('button', { name: 'Save the feedback' }).click();
    await said(page, 'The feedback is saved.');
    expect(await api('GET', `/sessions/${LONG_SESSION}/feedback`)).toMatchObject({
      feedback_score: 4,
      feedback_text: 'Too long',
    });
    await last.getByRole('link', { name: /^request/ }).click();
    await said(page, 'Should have answered');
    await portal.picture('request-corrected');
    const dialog = page.getByRole('dialog', { name: 'Remove the correction?' });
    const removes = dialog.getByRole('button', { name: 'Remove the correction' });
    const error = { error: { status: 503, message: 'the traffic service is down' } };
    const deletes = (url: URL): boolean => url.pathname.includes('/requests/');
    await page.route(deletes, (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 503, json: error }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Remove the correction' }).click();
    await dialog.waitFor();
    expect(await portal.themeFaults('correction-question')).toEqual([]);
    expect(portal.faults).toEqual([]);
    await removes.click();
    await page.getByText('the traffic service is down').waitFor();
    portal.faults.splice(0);
    await page.unroute(deletes);
    await removes.click();
    await said(page, 'Correct the answer');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('shows a large answer in steps, and saves all of it', async () => {
    const portal = await signIn();
    const { page } = portal;
    const [request] = await api<{ request_id: string }[]>(
      'GET',
      `/requests?session_id=${LONG_SESSION}&sort=id&limit=1`,
    );
    await portal.open(`/runs/request/${request?.request_id}`);
    const text = page.locator('.message.assistant .text');
    const shown = (await text.innerText()).length;
    await page.getByRole('button', { name: /^Show more/ }).click();
    await eventually('more is shown', async () => (await text.innerText()).length > shown);
    const saved = await portal.saved(() => page.getByRole('button', { name: 'Download' }).click());
    expect(saved.length).toBeGreaterThan(250_000);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('has no fault that axe knows, in both themes, and fits into 320 pixels and 200 % zoom', async () => {
    const portal = await signIn();
    const { page } = portal;
    const [request] = await api<{ request_id: string }[]>('GET', '/requests?limit=1');
    const pages = {
      'runs-workflows': '/runs?kind=Workflows',
      'runs-requests': '/runs?kind=Requests&status=COMPLETED',
      'runs-none': '/runs?text=no-such-text&min_cost=1',
      request: `/runs/request/${request?.request_id}`,
      sessions: '/sessions',
      'sessions-agents': `/sessions?kind=Agents&agent_id=${agent}`,
      session: `/sessions/${LONG_SESSION}`,
      'session-none': '/sessions/no-such-session',
    };
    const look = async (name: string): Promise<void> => {
      expect([name, await portal.looksFaults(name)]).toEqual([name, []]);
    };
    for (const [name, address] of Object.entries(pages)) {
      await portal.open(address);
      await look(name);
    }
    await portal.open('/runs');
    await page.getByRole('grid').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('Space');
    await said(page, 'Open the run');
    await portal.settled();
    await look('runs-peek');
    await page.getByRole('button', { name: 'Add to test set' }).click();
    await page.getByRole('dialog').waitFor();
    await look('test-set-dialog');
    await portal.open('/runs?kind=Workflows');
    await page
      .getByRole('row', { name: /Refund/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'Open the run' }).waitFor();
    expect(await page.locator(`a[href$="/runs/workflow/${WORKFLOW_RUN}"]`).count()).toBeGreaterThan(0);
    expect(portal.faults).toEqual([]);
  }, 240_000);

  it('says that nothing has run yet, and when a service fails', async () => {
    const portal = await signIn(await platform.company('Nothing'));
    const { page } = portal;
    const empty = {
      '/runs': 'Nothing has run yet.',
      '/runs?kind=Workflows': 'No workflow has run yet.',
      '/runs?kind=Requests': 'No model was asked yet.',
      '/sessions': 'No chat completion has named a session yet',
    };
    for (const [address, text] of Object.entries(empty)) {
      await portal.open(address);
      await said(page, text);
    }
    expect(portal.faults).toEqual([]);
    const error = { error: { status: 503, message: 'the agents service is down' } };
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 503, json: error }));
    for (const address of ['/runs', `/runs/request/${LONG_TASK}`]) {
      await page.goto(`${portal.origin}/c/${portal.company}${address}`);
      await said(page, 'the agents service is down. Try again in a moment.');
    }
    await portal.picture('runs-failing');
    await page.unroute('**/api/v1/**');
    await portal.open('/runs');
    await said(page, 'Nothing has run yet.');
  }, 180_000);
});
