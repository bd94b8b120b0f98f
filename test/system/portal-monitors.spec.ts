/// <reference lib="dom" />
import type { Signalbox } from '@signalbox/sdk';
import { eventually } from '@signalbox/testing';
import type { Page } from 'playwright-core';
import { Keyboard } from './portal/keyboard.js';
import { describePages, PortalSite } from './portal/site.js';

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

describePages('the pages of monitors', () => {
  let site: PortalSite;
  let api: Signalbox;
  let monitor_id: number;
  beforeAll(async () => {
    site = await PortalSite.start('Watchers', 'runner', 'test-runs');
    ({ api } = site);
  }, 180_000);
  afterEach(() => site?.closePages());
  afterAll(() => site?.stop(), 40_000);

  const signIn = () => site.signIn();

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
    // Markup of users is text everywhere.
    for (const message of ['tell me more about it', 'a', 'b<'])
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
    await page.getByText('2 rows', { exact: true }).waitFor();
    await page.getByRole('grid', { name: 'Verdicts' }).focus();
    await page.keyboard.press('Enter');
    const reason = page.getByRole('region', { name: 'A fault when' });
    await reason.getByText('output.content is shorter than 15').waitFor();
    await reason.getByText('Met: it was "[simulated] b<"').waitFor();
    await portal.picture('verdict');
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Reason contains').fill('no such reason');
    await page.keyboard.press('Enter');
    await page.getByText('No verdict matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('3 rows', { exact: true }).waitFor();
    await portal.open('/monitors?by=target');
    await page.getByRole('region', { name: 'Clerk', exact: true }).getByRole('link', { name: 'Says enough' }).waitFor();
    await page.getByLabel('Name contains').fill('none');
    await page.getByText('No monitor has such a name.').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('turn an alert into test items, and resolve it', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/monitors');
    await page
      .getByRole('region', { name: 'Loud' })
      .getByRole('link', { name: /1 open/ })
      .click();
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
    await page.keyboard.press('Escape');
    await page.getByLabel('State').selectOption('all');
    const row = page.getByRole('row', { name: '2 faults in a row' });
    await row.waitFor();
    // What the last poll has said is not shown instead of what was loaded since.
    await page.waitForResponse('**/monitors/alerts?*');
    const refresh = page.getByRole('button', { name: /^Refresh/ });
    for (const next of ['30 s', 'off']) {
      await refresh.click();
      await refresh.getByText(next).waitFor();
    }
    await row.click();
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('Seen').waitFor();
    await refresh.click();
    await page.getByLabel('State').selectOption('resolved');
    await page.getByText('There is no such alert.').waitFor();
    await page.getByLabel('State').selectOption('acknowledged');
    await page.getByText('2 faults in a row').click();
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('There is no such alert.').waitFor();
    await portal.open(`/monitors/${monitor_id}?tab=Checks`);
    await page.getByText('No version was checked yet.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'New check' }).click();
    await dialog.getByLabel('Version').selectOption('1.0.0');
    await dialog.getByRole('button', { name: 'Check it' }).click();
    await dialog.getByRole('row', { name: /Fault/ }).first().waitFor();
    await portal.picture('monitor-check');
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('grid', { name: 'Checks' }).getByText('2 of 2').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  /** Sees a version fail on what was just added: what it answered is not what is expected now. */
  async function failsOn(page: Page, version: string): Promise<void> {
    await page.waitForURL('**/test-runs/*');
    await page.getByText(version, { exact: false }).first().waitFor();
    await page.getByRole('grid', { name: 'Items' }).getByText('Fail').first().waitFor();
  }

  it('lead from a loud monitor to a run of the suspect version, by keyboard alone', async () => {
    const portal = await signIn();
    const { page } = portal;
    const keys = new Keyboard(page);
    const dialog = page.getByRole('dialog');
    await keys.goTo('m', '/monitors');
    await keys.enter(page.getByRole('link', { name: 'Says enough' }));
    const bars = page.getByRole('group', { name: 'Verdicts by day' });
    const risen = bars.getByRole('button', { name: '2 faults of 3' });
    await keys.to(risen);
    await keys.press('ArrowLeft');
    await keys.focused(bars.getByRole('button', { name: '0 faults of 0' }));
    await keys.press('ArrowRight');
    await keys.focused(risen);
    await keys.press('Enter');
    await page.getByRole('button', { name: /^Only \d/ }).waitFor();
    const grid = page.getByRole('grid', { name: 'Verdicts' });
    // A row that is not loaded yet cannot be chosen.
    await portal.settled();
    await keys.to(grid);
    // The newest two are faults: each says why next to the list.
    await keys.press('Space');
    const reason = page.getByRole('complementary');
    await reason.getByText('Met: it was "[simulated] b<"').waitFor();
    await keys.press('x', 'j');
    await reason.getByText('Met: it was "[simulated] a"').waitFor();
    await keys.press('x', 'j');
    await reason.getByText('Not met').or(reason.getByText('did not hold')).first().waitFor();
    await keys.enter(page.getByRole('button', { name: 'Add 2 to test set' }));
    await keys.focused(dialog.getByLabel('Test set'));
    // The alert has put them there already: nothing is twice in a set.
    await keys.press('Tab', 'Enter');
    await dialog.getByText('0 added, 2 were there already.').waitFor();
    await keys.focused(dialog.getByRole('button', { name: 'Done' }));
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await portal.picture('suspect');
    await keys.to(dialog.getByLabel('Expected of «b<»'));
    await keys.press('Control+a');
    await keys.type('Something that is long enough.');
    await keys.enter(dialog.getByRole('button', { name: 'Run 1.0.0 on the set' }));
    await failsOn(page, '1.0.0');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('lead from a bar to a run of the suspect version, by mouse', async () => {
    const portal = await signIn();
    const { page } = portal;
    const dialog = page.getByRole('dialog');
    await portal.open(`/monitors/${monitor_id}`);
    await page.getByRole('group', { name: 'Verdicts by day' }).getByRole('button', { name: '2 faults of 3' }).click();
    await page.getByRole('button', { name: /^Only \d/ }).waitFor();
    await portal.settled();
    const grid = page.getByRole('grid', { name: 'Verdicts' });
    await grid.getByRole('row').nth(1).locator('.check').click();
    await page.getByRole('button', { name: 'Add 1 to test set' }).click();
    await dialog.getByLabel('A new one').check();
    await dialog.getByLabel('Name of the new test set').fill('What was said');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('1 added, 0 were there already.').waitFor();
    await dialog.getByLabel('Expected of «b<»').fill('More than that.');
    await dialog.getByRole('button', { name: 'Run 1.0.0 on the set' }).click();
    await failsOn(page, '1.0.0');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('make a monitor that is tried before it watches', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/monitors');
    await page.getByRole('button', { name: 'New monitor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('No markup');
    await dialog.getByLabel('Which').selectOption({ label: 'Clerk' });
    await dialog.getByRole('textbox', { name: 'Value' }).fill('b<');
    await dialog.getByText('It would be').getByText('Fault').waitFor();
    await dialog.getByLabel('Comparison').selectOption({ label: 'is longer than (characters)' });
    await dialog.getByRole('textbox', { name: 'Value' }).fill('100');
    await dialog.getByText('It would be').getByText('Pass').waitFor();
    expect(await portal.accessibilityFaults('dark')).toEqual([]);
    await portal.picture('new-monitor');
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await page.waitForURL('**/monitors/*');
    await page.getByRole('heading', { name: 'No markup' }).waitFor();
    const { data } = await api.monitors.list({ search: 'No markup' });
    expect(data[0]).toMatchObject({ active: true, latest_version_number: '1.0.0' });
    await page.getByRole('tab', { name: 'Targets' }).click();
    await page.getByRole('button', { name: 'Detach' }).click();
    await page.getByRole('dialog', { name: 'Detach Clerk?' }).waitFor();
    expect(await portal.themeFaults('monitor-detach-question')).toEqual([]);
    await page.getByRole('button', { name: 'Detach it' }).click();
    await page.getByText('It watches nothing yet.').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('make a monitor that judges the value of the chosen target, whatever was entered first', async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'Desk' });
    await api.intents.create({ application_id, action_type: 'greeting' });
    const script = 'function execute(ctx) {\n  return 1;\n}\n';
    await api.workflows.create({ workflow_ref_name: 'night', workflow_name: 'Night job', script });
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/monitors');
    await page.getByRole('button', { name: 'New monitor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Entered first');
    await dialog.getByRole('textbox', { name: 'Value' }).fill('b<');
    await dialog.getByLabel('Watches').selectOption('intent');
    await dialog.getByRole('option', { name: 'greeting of Desk' }).waitFor({ state: 'attached' });
    await dialog.getByLabel('Watches').selectOption('workflow');
    await dialog.getByLabel('Which').selectOption({ label: 'Night job' });
    await dialog.getByLabel('Publish it and watch').uncheck();
    await dialog.getByRole('button', { name: 'Make it' }).click();
    await page.waitForURL('**/monitors/*');
    const { data } = await api.monitors.list({ search: 'Entered first' });
    const { config } = await api.monitors.get({ monitor_id: data[0]?.id ?? 0 });
    expect(config.result?.fault?.children[0]).toMatchObject({ path: 'output', value: 'b<' });
  }, 180_000);

  it('change a draft while its preview follows, publish it, and let it judge in the shadow', async () => {
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/monitors/${monitor_id}?tab=Definition`);
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('It would be').getByText('Fault').waitFor();
    const field = page.getByLabel('Configuration');
    await field.fill('{');
    await page.getByRole('region', { name: 'Draft' }).getByText('JSON', { exact: false }).last().waitFor();
    await field.fill(JSON.stringify(CONFIG).replace('15', '3'));
    await preview.getByText('It would be').getByText('Pass').waitFor();
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('has unpublished changes').waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByRole('dialog').getByLabel('At least (percent)').fill('50');
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByText('at least 50 % faults within 1 h 0 min, of at least 5').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByLabel('What changed').fill('<i>Shorter</i> answers are fine');
    await page.getByRole('button', { name: 'Publish it' }).click();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByText('<i>Shorter</i> answers are fine').waitFor();
    const older = page.getByRole('row', { name: /^1\.0\.0/ }).first();
    await older.getByRole('button', { name: 'Compare with the draft' }).click();
    await page.getByRole('dialog').getByRole('cell', { name: /fault/ }).first().waitFor();
    await page.keyboard.press('Escape');
    await older.getByRole('button', { name: 'Judge in the shadow' }).click();
    await older.getByText('in the shadow').first().waitFor();
    const { data: agents } = await api.agents.list();
    await api.agents.invoke({ agent_id: agents[0]?.id ?? 0, message: 'c', version: 'latest' });
    const compared = page.getByRole('region', { name: 'Versions compared' });
    await compared.getByRole('link', { name: '1.0.0 (shadow)' }).waitFor();
    await compared.getByRole('link', { name: '1.1.0', exact: true }).waitFor();
    await portal.picture('monitor-versions');
    await compared.getByRole('link', { name: '1.0.0 (shadow)' }).click();
    await page.getByText('1 row', { exact: true }).waitFor();
    await older.waitFor({ state: 'detached' });
    // A bar counts no verdict of the shadow, so it opens none.
    await page.getByRole('group', { name: 'Verdicts by day' }).getByRole('button').last().click();
    await page.getByRole('button', { name: /^Only \d/ }).waitFor();
    expect(await page.getByLabel('Of the shadow').inputValue()).toBe('false');
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('keep a draft that is not saved while other things change, and ask before it is left', async () => {
    const { id } = await api.monitors.create({ name: 'Being written', config: CONFIG as never });
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/monitors');
    await page.getByRole('link', { name: 'Being written' }).click();
    await page.getByRole('tab', { name: 'Definition' }).click();
    const field = page.getByLabel('Configuration');
    const mine = JSON.stringify(CONFIG).replace('15', '16');
    await field.fill(mine);
    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByRole('dialog').getByLabel('At least (percent)').fill('50');
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByText('at least 50 % faults', { exact: false }).waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByText('Nothing is published.', { exact: false }).waitFor();
    await page.getByRole('tab', { name: 'Definition' }).click();
    expect(await field.inputValue()).toBe(mine);
    const leaves = page.getByRole('dialog', { name: 'Leave with unsaved changes?' });
    await page.getByRole('link', { name: 'Agents' }).click();
    await leaves.getByRole('button', { name: 'Stay' }).click();
    await page.goBack();
    await leaves.getByRole('button', { name: 'Stay' }).click();
    expect(page.url()).toMatch(new RegExp(`/monitors/${id}\\?tab=Definition$`));
    expect(await field.inputValue()).toBe(mine);
    await api.monitors.update({ monitor_id: id, config: { ...CONFIG, limits: { max_cost_per_day: 1 } } as never });
    await page.getByRole('button', { name: /^Remove: at least 50/ }).click();
    await page.getByRole('dialog', { name: 'Remove this rule?' }).waitFor();
    expect(await portal.themeFaults('monitor-rule-question')).toEqual([]);
    await page.getByRole('button', { name: 'Remove the rule' }).click();
    await page.getByText('The draft was changed elsewhere meanwhile.', { exact: false }).waitFor();
    expect(await portal.looksFaults('monitor-stale-draft')).toEqual([]);
    await page.getByRole('button', { name: 'Take what is there' }).click();
    await eventually('it is taken', async () => (await field.inputValue()).includes('max_cost_per_day'));
    await field.fill(mine);
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('Nothing has changed.').waitFor();
    expect((await api.monitors.get({ monitor_id: id })).config).toMatchObject(JSON.parse(mine) as object);
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('name the limit of the version that judges, not that of the draft', async () => {
    const limited = (max_cost_per_day: number) => ({ ...CONFIG, limits: { max_cost_per_day } }) as never;
    const { id } = await api.monitors.create({ name: 'Limited', config: limited(5) });
    await api.monitors.publishVersion({ monitor_id: id });
    await api.monitors.update({ monitor_id: id, config: limited(9) });
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/monitors/${id}`);
    await page.getByText('$0 of $5.00').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('button', { name: 'Publish it' }).click();
    await page.getByText('$0 of $9.00').waitFor();
    await api.monitors.createRelease({ monitor_id: id, name: 'live', version: '1.0.0' });
    await api.monitors.updateRelease({ monitor_id: id, release_name: 'live', is_default: true });
    await portal.open(`/monitors/${id}`);
    await page.getByText('$0 of $5.00').waitFor();
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('keep the share of a target whose field is left empty, and publish no draft but the one on the page', async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'Shares' });
    const named = { application_id, agent_name: 'Teller', system_prompt: 'You help.' };
    const { id: target_id } = await api.agents.create(named);
    const { id } = await api.monitors.create({ name: 'Shared', config: CONFIG as never });
    await api.monitors.attachTarget({ monitor_id: id, target_type: 'agent', target_id, sample_rate: 40 });
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/monitors/${id}?tab=Targets`);
    const share = page.getByLabel('Share of Teller in percent');
    await share.fill('');
    await share.blur();
    expect(await share.inputValue()).toBe('40');
    await share.fill('60');
    await share.blur();
    const shares = async () => (await api.monitors.get({ monitor_id: id })).targets?.map((each) => each.sample_rate);
    await eventually('the share is changed', async () => (await shares())?.[0] === 60);

    await page.getByRole('tab', { name: 'Definition' }).click();
    await page.getByLabel('Configuration').fill(JSON.stringify(CONFIG).replace('15', '14'));
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('The draft is not saved: save it on «Definition» first.').waitFor();
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('Nothing has changed.').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('button', { name: 'Publish it' }).click();
    await page.getByText('Published 1.0.0.').waitFor();
    // There is no sample of an agent that nobody has asked.
    expect(portal.faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  }, 180_000);

  it('have no fault that axe knows, in both themes, and fit into 320 pixels and 200 % zoom', async () => {
    const portal = await signIn();
    const tabs = ['Definition', 'Targets', 'Versions', 'Checks', 'Releases'];
    const one = `/monitors/${monitor_id}`;
    for (const address of ['/monitors', one, ...tabs.map((tab) => `${one}?tab=${tab}`), '/alerts?status=all']) {
      await portal.open(address);
      expect([address, await portal.looksFaults(`${address.replace(/\W+/g, '-').slice(1)}`)]).toEqual([address, []]);
    }
    expect(portal.faults).toEqual([]);
  }, 180_000);
});
