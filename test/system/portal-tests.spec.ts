/// <reference lib="dom" />
import type { Signalbox } from '@signalbox/sdk';
import { eventually } from '@signalbox/testing';
import { overwrite, type PortalPage } from '@signalbox/testing/browser';
import { Keyboard } from './portal/keyboard.js';
import { describePages, PortalSite } from './portal/site.js';

/** Items that cannot be loaded are not those of before. */
async function saysWhatFails(portal: PortalPage, address: string): Promise<void> {
  const { page } = portal;
  const compared = '**/unified-test-runs/compare*';
  await page.route(compared, async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { data: { ...data, total: 60 } } });
  });
  await portal.open(address);
  const later = page.getByRole('button', { name: 'Later' });
  await later.waitFor();
  await page.unroute(compared);
  const error = { error: { status: 503, message: 'the test-runs service is down' } };
  await page.route(compared, (route) => route.fulfill({ status: 503, json: error }));
  await later.click();
  await page.getByText('the test-runs service is down').waitFor();
  expect(await page.getByRole('region', { name: 'Compared item' }).count()).toBe(0);
}

describePages('the pages of tests', () => {
  let site: PortalSite;
  let api: Signalbox;
  let setId: number;
  let runId: number;
  let criterionId: number;
  const scripts: number[] = [];
  beforeAll(async () => {
    site = await PortalSite.start('Tests', 'runner', 'test-runs');
    ({ api } = site);
  }, 180_000);
  afterEach(() => site?.closePages());
  afterAll(() => site?.stop(), 40_000);
  /** What the first run was made against. */
  const consumerOf = async () => {
    const { consumer_kind, consumer_config } = await api.testRuns.get({ id: runId });
    return { consumer_kind, consumer_config };
  };

  const signIn = () => site.signIn();

  it('make a set by hand, run it against an agent, and say what failed', async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'Shop' });
    await api.agents.create({ application_id, agent_name: 'Clerk', system_prompt: 'You help.' });
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/test-sets');
    await page.getByText('There is no test set yet.').waitFor();
    await page.getByRole('button', { name: 'New test set' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Must hold');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('The set is empty.').waitFor();
    setId = Number(new URL(page.url()).pathname.split('/').at(-1));
    for (const [message, expected] of [
      ['hello', '[simulated] hello'],
      ['bye', 'something else'],
    ] as const) {
      await page.getByRole('button', { name: 'New item' }).click();
      await page.getByLabel('Message').fill(message);
      await page.getByLabel('Expected answer').fill(expected);
      await page.getByRole('button', { name: 'Add it' }).click();
      await page.getByRole('grid').getByText(expected, { exact: true }).waitFor();
    }
    await portal.picture('test-set');
    await page.getByRole('button', { name: 'Run it' }).click();
    const adapted = page.getByRole('region', { name: 'What the first item becomes' });
    await adapted.getByText('"hello"', { exact: false }).waitFor();
    await page.getByLabel('Version').fill('9.9.9');
    await adapted.getByText('version', { exact: false }).waitFor();
    // What the browser itself says of the version that does not exist.
    portal.faults.splice(0);
    await page.getByLabel('Version').fill('');
    await adapted.getByText('"hello"', { exact: false }).waitFor();
    expect(await portal.accessibilityFaults('dark')).toEqual([]);
    await portal.picture('new-test-run');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL('**/test-runs/*');
    await page.getByText('50 % (1)').waitFor();
    await portal.picture('test-run');
    await page.getByLabel('Outcome').selectOption('FAIL');
    await page.getByRole('row', { name: /\[simulated\] bye/ }).click();
    await page.getByRole('dialog').getByLabel('Expected').getByText('something else').waitFor();
    await portal.picture('test-run-item');
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await page.keyboard.press('Escape');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('compare two runs, accept a new answer, and score again', async () => {
    const { data: agents } = await api.agents.list();
    const agent_id = agents[0]?.id ?? 0;
    const run = async (max_iterations?: number): Promise<number> => {
      const consumer_config = { agent_id, ...(max_iterations ? { max_iterations } : {}) };
      const fields = { test_set_id: setId, consumer_kind: 'AGENT' as const, consumer_config, auto_score: true };
      const { id } = await api.testRuns.create(fields);
      await api.testRuns.prepare({ id });
      await api.testRuns.execute({ id });
      for (;;) {
        const now = await api.testRuns.get({ id });
        if (now.scored_at !== null) return id;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const base = await run();
    runId = base;
    const { data: items } = await api.testSets.listItems({ test_set_id: setId });
    const item_id = Math.min(...items.map(({ id }) => id));
    await api.testSets.setResponseSub({ test_set_id: setId, item_id, expected_output: { text: 'no more' } });
    const later = await run();
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/test-runs/${later}`);
    await page.getByRole('button', { name: 'Compare with the one before' }).click();
    await page.waitForURL(`**/compare?base=${base}&run=${later}`);
    await page.getByText('Too few items to tell', { exact: false }).first().waitFor();
    const item = page.getByRole('region', { name: 'Compared item' });
    await item.getByText('Worse').waitFor();
    await item.getByLabel('Newer answer').getByText('[simulated] hello').waitFor();
    // What was asked, and by what the answers were judged, stand next to them.
    await item.locator('.message', { hasText: 'user' }).getByText('hello', { exact: true }).waitFor();
    await item.getByText('Expected, by the override').waitFor();
    await item.getByText('No criterion: an answer is right when it equals').waitFor();
    expect(await portal.looksFaults('compare')).toEqual([]);
    await saysWhatFails(await signIn(), `/compare?base=${base}&run=${later}`);
    await item.getByRole('button', { name: 'This answer is right' }).click();
    await page.getByText('No item got worse.').waitFor();
    await page.getByRole('tab', { name: 'changed' }).click();
    await page.getByText('Every item ended as before.').waitFor();
    expect(await api.testRuns.get({ id: later })).toMatchObject({ match_rate: 0.5 });
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('compare two ticked runs, accept an answer and run errors again, by keyboard alone', async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'Compared' });
    const { id: agent_id } = await api.agents.create({ application_id, agent_name: 'Teller' });
    const { id: test_set_id } = await api.testSets.create({ name: 'Ticked' });
    for (const [asked, text] of [
      ['one', '[simulated] one'],
      ['two', '[simulated] two'],
      ['three', '[simulated] something else'],
    ] as const)
      await api.testSets.createItem({
        test_set_id,
        input: { messages: [{ role: 'user', content: asked }] },
        expected_output: { text },
      });
    const run = async (consumer: object): Promise<number> => {
      const { id } = await api.testRuns.create({ test_set_id, auto_score: true, ...consumer } as never);
      await api.testRuns.prepare({ id });
      await api.testRuns.execute({ id });
      await eventually('it is scored', async () => (await api.testRuns.get({ id })).scored_at !== null);
      return id;
    };
    const base = await run({ consumer_kind: 'AGENT', consumer_config: { agent_id } });
    const { data: items } = await api.testSets.listItems({ test_set_id, sort: 'position' });
    for (const { id: item_id } of items.slice(0, 2))
      await api.testSets.setResponseSub({ test_set_id, item_id, expected_output: { text: 'no more' } });
    const later = await run({ consumer_kind: 'AGENT', consumer_config: { agent_id } });

    const portal = await signIn();
    const { page } = portal;
    const keys = new Keyboard(page);
    await keys.to(page.getByRole('link', { name: 'Test runs', exact: true }));
    await keys.press('Enter');
    const grid = page.getByRole('grid', { name: 'Test runs' });
    await grid.getByRole('row').nth(2).waitFor();
    await keys.to(grid);
    await keys.press('x');
    await page.getByText('Choose two runs of one set.').waitFor();
    await keys.press('j', 'x');
    await keys.enter(page.getByRole('button', { name: 'Compare', exact: true }));
    await page.waitForURL(`**/compare?base=${base}&run=${later}`);

    const item = page.getByRole('region', { name: 'Compared item' });
    await item.getByText('1 of 2').waitFor();
    await keys.press('n');
    await item.getByText('2 of 2').waitFor();
    await keys.press('p');
    await item.getByText('1 of 2').waitFor();
    await item.getByText('Newer answer').or(item.getByLabel('Newer answer')).first().waitFor();
    await keys.enter(item.getByRole('button', { name: 'This answer is right' }));
    await item.getByText('1 of 1').waitFor();
    await keys.focused(item);
    await keys.enter(item.getByRole('button', { name: 'This answer is right' }));
    const none = page.getByText('No item got worse.');
    await none.waitFor();
    await keys.focused(page.locator('div[tabindex]', { has: none }).last());
    expect(await api.testRuns.get({ id: later })).toMatchObject({ matched_items: 2 });
    await keys.tab('better 0');
    await page.getByText('No item got better.').waitFor();

    // A program that is not there: each item ends in an error.
    const broken = await run({ consumer_kind: 'EXTERNAL', consumer_config: { url: 'http://127.0.0.1:9/' } });
    await portal.open(`/compare?base=${later}&run=${broken}&direction=error`);
    await keys.enter(page.getByRole('button', { name: `Run the 3 errors of ${broken} again` }));
    const dialog = page.getByRole('dialog');
    const kinds = dialog.getByRole('checkbox');
    await keys.to(kinds.first());
    await keys.press('Space');
    await dialog.getByText('Choose at least one kind.').waitFor();
    await keys.press('Space');
    await keys.enter(dialog.getByRole('button', { name: 'Run them again' }));
    await dialog.waitFor({ state: 'detached' });
    await eventually('they have run again', async () => {
      const { status, scored_at } = await api.testRuns.get({ id: broken });
      return status === 'COMPLETED' && scored_at !== null;
    });
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('show an override at once', async () => {
    const { id: test_set_id } = await api.testSets.create({ name: 'Overridden' });
    const expected_output = { text: 'as it was' };
    await api.testSets.createItem({ test_set_id, input: { input: 'hello' }, expected_output });
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/test-sets/${test_set_id}`);
    const grid = page.getByRole('grid');
    await grid.getByText('as it was').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Expected instead').fill('as it is now');
    await dialog.getByRole('button', { name: 'Set the override' }).click();
    await grid.getByText('as it is now').waitFor();
    await dialog.getByRole('button', { name: 'Remove the override' }).click();
    await page.getByRole('dialog', { name: /^Remove the override of item/ }).waitFor();
    expect(await portal.themeFaults('override-question')).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove the override' }).click();
    await grid.getByText('as it was').waitFor();
    await dialog.getByRole('button', { name: 'Set the override' }).waitFor();
    expect(await dialog.getByLabel('Expected instead').inputValue()).toBe('as it was');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('ask before an item goes or a run is cancelled', async () => {
    const { id: test_set_id } = await api.testSets.create({ name: 'Questions' });
    const input = { messages: [{ role: 'user' as const, content: 'stay' }] };
    const { id } = await api.testSets.createItem({ test_set_id, input, expected_output: { text: 'yes' } });
    const { id: application_id } = await api.applications.create({ application_name: 'Stopped' });
    const { id: agent_id } = await api.agents.create({ application_id, agent_name: 'Stopped', system_prompt: '' });
    const run = await api.testRuns.create({ test_set_id, consumer_kind: 'AGENT', consumer_config: { agent_id } });
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/test-sets/${test_set_id}`);
    await page.getByRole('grid').getByText('stay').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete the item' }).click();
    await dialog.getByRole('heading', { name: `Delete item ${id}?` }).waitFor();
    await dialog.getByRole('button', { name: 'Delete the item' }).click();
    await page.getByText('The set is empty.').waitFor();
    await dialog.waitFor({ state: 'detached' });

    const running = { data: { ...run, status: 'RUNNING' } };
    await page.route(`**/unified-test-runs/${run.id}`, (route) => route.fulfill({ json: running }));
    await portal.open(`/test-runs/${run.id}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('heading', { name: `Cancel test run ${run.id}?` }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel the run' }).waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('make a criterion, try it on an item, and judge a run by it', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/criteria');
    await page.getByText('There is no criterion yet.').waitFor();
    await page.getByRole('button', { name: 'New criterion' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Says <b>hello</b>');
    await dialog.getByLabel('An answer is right when it').selectOption('CONTAINS');
    await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('hello');
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await page.waitForURL('**/criteria/*');
    criterionId = Number(new URL(page.url()).pathname.split('/').at(-1));
    const tried = page.getByRole('region', { name: 'Try' });
    await tried.getByRole('combobox', { name: 'Test set' }).selectOption(String(setId));
    await tried.getByLabel('Item').selectOption({ index: 1 });
    await tried.getByLabel('Answer').fill('something else');
    await tried.getByRole('button', { name: 'Judge it' }).click();
    await tried.getByText('Fail', { exact: true }).waitFor();
    await tried.getByLabel('Answer').fill('hello again');
    await tried.getByRole('button', { name: 'Judge it' }).click();
    await tried.getByText('Pass', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('item')).toMatch(/^\d+$/);
    await page
      .getByRole('region', { name: 'Definition' })
      .getByRole('textbox', { name: 'Text', exact: true })
      .fill('bye');
    await page.getByRole('button', { name: 'Save it' }).click();
    await page.getByText('Saved. Earlier scores keep what they used.').waitFor();
    await tried.getByRole('button', { name: 'Judge it' }).click();
    await tried.getByText('Fail', { exact: true }).waitFor();
    await portal.open(`/test-sets/${setId}`);
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByRole('checkbox', { name: /^Says <b>hello/ }).check();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL('**/test-runs/*');
    await page.getByText('50 % (1)').waitFor();
    await portal.open('/criteria?search=nothing');
    await page.getByText('No criterion matches.').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('keep what is typed into a criterion while it is disabled, and ask before it is left', async () => {
    const made = { name: 'Says so', method: 'CONTAINS' as const, config: { value: 'hello' } };
    const { id } = await api.evaluationCriteria.create({ ...made, criteria_type: 'BOOLEAN' });
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/criteria');
    await page.getByRole('grid').getByText('Says so').click();
    const definition = page.getByRole('region', { name: 'Definition' });
    const field = definition.getByRole('textbox', { name: 'Text', exact: true });
    await field.fill('bye');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    expect(await field.inputValue()).toBe('bye');
    const leaves = page.getByRole('dialog', { name: 'Leave with unsaved changes?' });
    await page.getByRole('link', { name: 'Agents' }).click();
    await leaves.getByRole('button', { name: 'Stay' }).click();
    await definition.getByRole('button', { name: 'Save it' }).click();
    await page.getByText('Saved. Earlier scores keep what they used.').waitFor();
    expect((await api.evaluationCriteria.get({ criteria_id: id })).config).toMatchObject({ value: 'bye' });
    // Untouched, it takes what was changed elsewhere.
    await api.evaluationCriteria.update({ criteria_id: id, name: 'Said so' });
    await page.getByRole('button', { name: 'Enable' }).click();
    await eventually('the other name', async () => {
      return (await definition.getByRole('textbox', { name: 'Name', exact: true }).inputValue()) === 'Said so';
    });
    expect(await field.inputValue()).toBe('bye');
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    await page.goBack();
    await field.fill('never saved');
    await page.goForward();
    await leaves.getByRole('button', { name: 'Stay' }).click();
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`/criteria/${id}$`));
    expect(await field.inputValue()).toBe('never saved');
    await page.goBack();
    await leaves.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { level: 1, name: 'Criteria' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/criteria$/);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('write a script with its problems at their lines, and see why an answer passes', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/criteria');
    await page.getByRole('button', { name: 'New criterion' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Is short');
    await dialog.getByLabel('An answer is right when it').selectOption('SCRIPT');
    const write = (script: string): Promise<void> =>
      overwrite(page.getByRole('textbox', { name: 'Script of the criterion' }), script);
    await page.locator('.code-host:not([hidden])').waitFor();
    await write('function score(item) {\n  return item.;\n}');
    await dialog.getByRole('list', { name: 'Problems' }).getByText('line 2, column 15').waitFor();
    expect(await portal.themeFaults('criterion-script-problem')).toEqual([]);
    await write(
      "function score({ output, latency_ms }) {\n  console.log('took', latency_ms);\n  return { pass: output.length < 60, reason: '<b>' + output.length + '</b> characters' };\n}",
    );
    await dialog.getByRole('list', { name: 'Problems' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await page.waitForURL('**/criteria/*');
    const script = Number(new URL(page.url()).pathname.split('/').at(-1));
    const tried = page.getByRole('region', { name: 'Try' });
    await tried.getByRole('combobox', { name: 'Test set' }).selectOption(String(setId));
    await tried.getByRole('combobox', { name: /^From/ }).selectOption(String(runId));
    await tried.getByText('The given one to begin with').waitFor();
    await tried.getByRole('button', { name: 'Judge it' }).click();
    await tried.getByText(/^<b>\d+<\/b> characters$/).waitFor();
    await tried
      .getByLabel('Log of the script')
      .getByText(/^info took \d+$/)
      .waitFor();
    await portal.open('/criteria');
    await page.getByRole('button', { name: 'New criterion' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Asks nobody');
    await dialog.getByLabel('An answer is right when it').selectOption('STEPS');
    await dialog.getByRole('textbox', { name: /^Tool/ }).fill('find_order');
    await dialog.getByRole('button', { name: 'Look at an argument' }).click();
    await dialog.getByRole('textbox', { name: /^Argument/ }).fill('id');
    await dialog.getByRole('textbox', { name: 'Value' }).fill('7');
    await dialog.getByRole('button', { name: 'Add a check' }).click();
    await dialog.getByLabel('It holds when').nth(1).selectOption('no_failed_step');
    expect(await portal.themeFaults('criterion-steps-form')).toEqual([]);
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await page.waitForURL('**/criteria/*');
    const steps = Number(new URL(page.url()).pathname.split('/').at(-1));
    expect((await api.evaluationCriteria.get({ criteria_id: steps })).config).toEqual({
      checks: [
        { kind: 'called', tool: 'find_order', arguments: [{ path: 'id', equals: 7 }] },
        { kind: 'no_failed_step' },
      ],
    });
    scripts.push(script, steps);
    const again = await api.testRuns.runTestSet({ test_set_id: setId, ...(await consumerOf()), criteria_ids: scripts });
    await portal.open(`/compare?base=${runId}&run=${again.id}&direction=changed`);
    const judged = page.getByRole('region', { name: 'Criteria', exact: true });
    await judged.getByText('find_order with these').waitFor();
    // What was met stands there as well, with the run that was not judged by it.
    const short = judged.getByRole('row', { name: /^Is short/ });
    await short.getByText('Pass', { exact: true }).waitFor();
    expect(await short.getByRole('cell').allInnerTexts()).toEqual(expect.arrayContaining(['–']));
    await page.getByRole('region', { name: 'Compared item' }).getByText('hello', { exact: true }).waitFor();
    expect(await portal.themeFaults('compare-unmet')).toEqual([]);
    expect(portal.faults).toEqual([]);
  }, 240_000);

  it('say why an answer cannot be accepted', async () => {
    const { id: test_set_id } = await api.testSets.create({ name: 'Accepted' });
    const input = { messages: [{ role: 'user' as const, content: 'ready' }] };
    await api.testSets.createItem({ test_set_id, input, expected_output: { text: 'no' } });
    const { id: application_id } = await api.applications.create({ application_name: 'Ready' });
    const named = { application_id, agent_name: 'Ready', system_prompt: 'You help.' };
    const { id: agent_id } = await api.agents.create(named);
    const consumer = { consumer_kind: 'AGENT' as const, consumer_config: { agent_id } };
    const { id } = await api.testRuns.create({ test_set_id, ...consumer, auto_score: true });
    await api.testRuns.prepare({ id });
    await api.testRuns.execute({ id });
    await eventually('it is scored', async () => (await api.testRuns.get({ id })).scored_at !== null);
    const portal = await signIn();
    const { page } = portal;
    const dialog = page.getByRole('dialog');
    await portal.open(`/test-runs/${id}`);
    await page.getByRole('grid', { name: 'Items' }).getByText('[simulated] ready').click();
    const closed = { error: { status: 409, message: 'the test run is being scored' } };
    await page.route('**/score', (route) => route.fulfill({ status: 409, json: closed }));
    await dialog.getByRole('button', { name: 'This answer is right' }).click();
    await dialog.getByText('the test run is being scored').waitFor();
    await page.unroute('**/score');
    await dialog.getByRole('button', { name: 'This answer is right' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(portal.faults.filter((fault) => !fault.includes('409'))).toEqual([]);
  }, 180_000);

  it('add to the new set that an attempt has made before it failed', async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'Kept' });
    const named = { application_id, agent_name: 'Keeper', system_prompt: 'You help.' };
    const { id: agent_id } = await api.agents.create(named);
    await api.testSets.create({ name: 'Another' });
    const portal = await signIn();
    const { page } = portal;
    const dialog = page.getByRole('dialog');
    await api.agents.invoke({ agent_id, message: 'keep this' });
    const { data: tasks } = await api.agents.listAllTasks({ agent_id, limit: 1 });
    await portal.open(`/runs/task/${tasks[0]?.id}`);
    await page.getByRole('button', { name: 'Add to test set' }).click();
    await dialog.getByLabel('A new one').check();
    await dialog.getByLabel('Name of the new test set').fill('Kept');
    const imports = '**/import-bulk';
    const down = { error: { status: 503, message: 'the agents service is down' } };
    await page.route(imports, (route) => route.fulfill({ status: 503, json: down }));
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('the agents service is down').waitFor();
    await page.unroute(imports);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('1 added, 0 were there already.').waitFor();
    expect((await api.testSets.list({ search: 'Kept' })).data).toHaveLength(1);
    expect(portal.faults.filter((fault) => !fault.includes('503'))).toEqual([]);
  }, 180_000);

  it('have no fault that axe knows, in both themes, and fit into 320 pixels and 200 % zoom', async () => {
    const portal = await signIn();
    const ones = [`/test-sets/${setId}`, `/test-runs/${runId}`, `/criteria/${criterionId}`];
    for (const address of ['/test-sets', '/test-runs', '/criteria', ...ones]) {
      await portal.open(address);
      expect([address, await portal.looksFaults(`${address.replaceAll('/', '-').slice(1)}`)]).toEqual([address, []]);
    }
    expect(portal.faults).toEqual([]);
  }, 180_000);
});
