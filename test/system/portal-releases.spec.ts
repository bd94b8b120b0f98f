/// <reference lib="dom" />
import type { Signalbox } from '@signalbox/sdk';
import { Keyboard } from './portal/keyboard.js';
import { describePages, PortalSite } from './portal/site.js';

describePages('the release board', () => {
  let site: PortalSite;
  let api: Signalbox;
  beforeAll(async () => {
    site = await PortalSite.start('Releases', 'test-runs');
    ({ api } = site);
  }, 180_000);
  afterEach(() => site?.closePages());
  afterAll(() => site?.stop(), 40_000);

  const signIn = () => site.signIn();

  /** An agent with two versions, and a test set that it fulfils. */
  async function clerk(name: string): Promise<number> {
    const shop = { application_name: name, application_ref_name: name.toLowerCase() };
    const { id: application_id } = await api.applications.create(shop);
    const { id: agent_id } = await api.agents.create({ application_id, agent_name: name, system_prompt: 'You help.' });
    await api.agents.publishVersion({ agent_id, version_notes: 'the first one' });
    await api.agents.update({ agent_id, system_prompt: 'You help in one sentence.' });
    await api.agents.publishVersion({ agent_id });
    const { id: test_set_id } = await api.testSets.create({ name: `What ${name} must hold` });
    const input = { messages: [{ role: 'user' as const, content: 'hello' }] };
    await api.testSets.createItem({ test_set_id, input, expected_output: { text: '[simulated] hello' } });
    return agent_id;
  }

  it('makes a release, gates it, tests a version that is blocked, moves it, and moves it back', async () => {
    const agent_id = await clerk('Clerk');
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/releases');
    await page.getByText('Nothing is released yet.', { exact: false }).waitFor();
    await portal.picture('releases-empty');
    await page.getByRole('button', { name: 'New release' }).click();
    await page.getByLabel('Of').selectOption({ label: 'Clerk (agent)' });
    await page.getByLabel('Version').selectOption('1.0.0');
    await page.getByLabel('Name').fill('production');
    await page.getByRole('button', { name: 'Make it' }).click();
    const card = page.getByRole('region', { name: 'Clerk' });
    await card.getByText('Here').waitFor();
    await card.getByText('no gate', { exact: true }).waitFor();

    await card.getByRole('button', { name: 'No gate of production' }).click();
    await page.getByRole('button', { name: 'Save the gate' }).click();
    await card.getByText('Blocked').waitFor();
    await portal.picture('releases-blocked');

    await card.getByRole('button', { name: 'Move production to 1.1.0' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You help in one sentence.').waitFor();
    await dialog.getByRole('button', { name: 'Move to 1.1.0', exact: true, disabled: true }).waitFor();
    await portal.picture('releases-move-blocked');
    await dialog.getByRole('button', { name: 'Run the tests on 1.1.0 now' }).dblclick();
    await dialog.getByText('May move').waitFor();
    expect((await api.testRuns.list()).pagination.total).toBe(1);
    await portal.picture('releases-move');
    await dialog.getByRole('button', { name: 'Move to 1.1.0', exact: true }).click();
    await page.getByText('production of Clerk is on 1.1.0.').waitFor();

    await card.getByRole('button', { name: 'History of production' }).click();
    await dialog.getByText('gate was green').waitFor();
    await portal.picture('releases-history');
    let arrive: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/diff*', async (route) => {
      await held;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Move back to 1.0.0' }).click();
    await dialog.getByText('Blocked').waitFor();
    // A button that moves when the difference arrives is missed, or another one is hit.
    const button = dialog.getByRole('button', { name: 'Move to 1.0.0', exact: true });
    const before = await button.boundingBox();
    arrive();
    await dialog.getByText('You help in one sentence.').waitFor();
    expect(await button.boundingBox()).toEqual(before);
    await dialog.getByText('Move it although the gate is closed').click();
    await dialog.getByLabel('Reason').fill('the new one is rude');
    await dialog.getByRole('button', { name: 'Move to 1.0.0 all the same' }).click();
    await page.getByText('production of Clerk is on 1.0.0.').waitFor();
    await card.getByRole('button', { name: 'Make default of production' }).click();
    await dialog.getByText('names neither a release nor a version runs the draft').waitFor();
    await dialog.getByRole('button', { name: 'Make it the default' }).click();
    await card.getByRole('columnheader', { name: 'production (default)' }).waitFor();
    expect(await api.agents.getRelease({ agent_id, release_name: 'production' })).toMatchObject({ is_default: true });
    const { data: moves } = await api.agents.listReleaseMoves({ agent_id, release_name: 'production' });
    expect(moves[0]).toMatchObject({
      from_version: '1.1.0',
      to_version: '1.0.0',
      override_reason: 'the new one is rude',
    });
    expect(portal.faults).toEqual([]);
  }, 240_000);

  it('shows a release on an old version, keeps the numbers of its gate, and says when that cannot be removed', async () => {
    const agent_id = await clerk('Warden');
    for (let n = 0; n < 20; n++) {
      await api.agents.update({ agent_id, system_prompt: `You help, and this is attempt ${n}.` });
      await api.agents.publishVersion({ agent_id });
    }
    const { data: sets } = await api.testSets.list({ search: 'Warden' });
    await api.agents.createRelease({ agent_id, name: 'live', version: '1.0.0' });
    const rates = { min_match_rate: 0.57, max_error_rate: 0.07, confidence: 0.55 };
    const gate_policy = { test_set_id: sets[0]?.id ?? 0, ...rates, max_age_ms: 3_600_000 };
    await api.agents.updateRelease({ agent_id, release_name: 'live', gate_policy });
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/releases');
    const card = page.getByRole('region', { name: 'Warden' });
    // The release is on the oldest version.
    await card.getByText('Here').waitFor();
    const opens = card.getByRole('button', { name: 'Gate of live' });
    const dialog = page.getByRole('dialog');
    await opens.click();
    const shown = dialog.locator('input[type=number]');
    await shown.first().waitFor();
    const numbers = await shown.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    expect(numbers).toEqual(['57', '7', '0.04166667', '55']);
    const saved = async () => (await api.agents.getRelease({ agent_id, release_name: 'live' })).gate_policy;
    await dialog.getByRole('button', { name: 'Save the gate' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await saved()).toEqual(gate_policy);
    await opens.click();
    await dialog.getByLabel('Age of the run').fill('1.1');
    const isAskedAgain = page.waitForRequest('**/releases/live/check');
    await dialog.getByRole('button', { name: 'Save the gate' }).click();
    await isAskedAgain;
    await dialog.waitFor({ state: 'detached' });
    expect(await saved()).toMatchObject({ ...rates, max_age_ms: 95_040_000 });
    expect(portal.faults).toEqual([]);
    await opens.click();
    const error = { error: { status: 503, message: 'the agents service is down' } };
    await page.route('**/releases/live', (route) => route.fulfill({ status: 503, json: error }));
    await dialog.getByRole('button', { name: 'Remove the gate' }).click();
    await page.getByRole('dialog', { name: /^Remove the gate of live/ }).waitFor();
    expect(await portal.themeFaults('gate-question')).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove the gate' }).click();
    await dialog.getByText('the agents service is down').waitFor();
    await api.agents.delete({ agent_id });
  }, 240_000);

  it('shows a version as soon as it is published above the board', async () => {
    const agent_id = await clerk('Baker');
    await api.agents.createRelease({ agent_id, name: 'live', version: '1.1.0' });
    await api.agents.update({ agent_id, system_prompt: 'You bake.' });
    const portal = await signIn();
    const { page } = portal;
    await portal.open(`/agents/${agent_id}?tab=Releases`);
    await page.getByText('Here').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('button', { name: 'Publish it' }).click();
    await page.getByRole('button', { name: 'Move live to 1.2.0' }).waitFor();
    expect(portal.faults).toEqual([]);
    await api.agents.delete({ agent_id });
  }, 180_000);

  it('moves a release through its gate and back by keyboard alone', async () => {
    const agent_id = await clerk('Porter');
    const { data: sets } = await api.testSets.list({ search: 'Porter' });
    await api.agents.createRelease({ agent_id, name: 'live', version: '1.0.0' });
    const gate_policy = { test_set_id: sets[0]?.id ?? 0, min_match_rate: 0.9, max_age_ms: 86_400_000 };
    await api.agents.updateRelease({ agent_id, release_name: 'live', gate_policy });
    const portal = await signIn();
    const { page } = portal;
    const keys = new Keyboard(page);
    const card = page.getByRole('region', { name: 'Porter', exact: true });
    const dialog = page.getByRole('dialog');
    const button = (name: string) => dialog.getByRole('button', { name, exact: true });
    await keys.goTo('l', '/releases');
    await card.getByText('Blocked').waitFor();
    const move = card.getByRole('button', { name: 'Move live to 1.1.0' });
    await keys.enter(move);
    await dialog.getByText('Blocked').waitFor();
    await keys.to(button('Move to 1.1.0'));
    await keys.press('Enter');
    expect(await dialog.getByText('Blocked').count()).toBe(1);
    await keys.press('Escape');
    await keys.focused(move);
    await keys.press('Enter');
    const tests = button('Run the tests on 1.1.0 now');
    await keys.enter(tests);
    await dialog.getByText('May move').waitFor();
    await keys.focused(tests);
    await keys.enter(button('Move to 1.1.0'));
    await page.getByText('live of Porter is on 1.1.0.').waitFor();
    await keys.focused(card.locator('[tabindex="-1"]', { hasText: 'Here' }));

    await keys.enter(card.getByRole('button', { name: 'History of live' }));
    await dialog.getByText('gate was green').waitFor();
    await keys.enter(button('Move back to 1.0.0'));
    await keys.enter(dialog.locator('summary', { hasText: 'although the gate is closed' }));
    await keys.to(dialog.getByLabel('Reason'));
    await keys.type('it answers too late');
    await keys.press('Enter');
    await page.getByText('live of Porter is on 1.0.0.').waitFor();
    await keys.focused(card.getByRole('button', { name: 'History of live' }));
    const { data: moves } = await api.agents.listReleaseMoves({ agent_id, release_name: 'live' });
    expect(moves.slice(0, 2)).toMatchObject([
      { to_version: '1.0.0', override_reason: 'it answers too late' },
      { to_version: '1.1.0' },
    ]);
    await api.agents.delete({ agent_id });
    expect(portal.faults).toEqual([]);
  }, 240_000);

  it('is used by keyboard alone, has no fault that axe knows, and fits into 320 pixels and 200 % zoom', async () => {
    const agent_id = await clerk('Helper');
    await api.agents.createRelease({ agent_id, name: 'stable', version: '1.0.0' });
    const portal = await signIn();
    const { page } = portal;
    await new Keyboard(page).goTo('l', '/releases');
    const button = page.getByRole('button', { name: 'Move stable to 1.1.0' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This release has no gate').waitFor();
    expect(await portal.accessibilityFaults('light')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
    expect(await portal.themeFaults('releases')).toEqual([]);
    const remove = page.getByRole('button', { name: 'Delete of stable' });
    await remove.focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Delete the release' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('stable is deleted.').waitFor();
    expect(await api.agents.listReleases({ agent_id })).toMatchObject({ data: [] });
    await portal.open(`/agents/${agent_id}?tab=Releases`);
    await page.getByText('A release is a name that points at a version').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Disable the agent' }).click();
    await page.getByText('Helper is disabled.').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Helper is enabled.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await portal.picture('agent-delete');
    await page.getByRole('button', { name: 'Delete the agent' }).click();
    await page.waitForURL('**/agents');
    expect((await api.agents.list()).data.map(({ agent_name }) => agent_name)).toEqual(['Clerk']);
    await portal.open('/releases');
    expect(await portal.looksFaults('releases-after')).toEqual([]);
    expect(portal.faults).toEqual([]);
  }, 180_000);

  it('shows the end of a long prompt, and what an action was, before a move', async () => {
    const { id: application_id } = await api.applications.create({ application_name: 'Careful' });
    const prompt = 'You are kind to everybody who writes. '.repeat(20);
    const made = { application_id, agent_name: 'Careful', system_prompt: `${prompt}\nRefunds: never.` };
    const { id: agent_id } = await api.agents.create(made);
    const config = { method: 'GET' as const, base_url: 'https://orders.example', endpoint: '/orders' };
    const action = { action_name: 'find', action_type: 'api' as const, description: 'Finds', action_config: config };
    const { id: action_id } = await api.agents.createAction({ agent_id, ...action });
    await api.agents.publishVersion({ agent_id });
    await api.agents.createRelease({ agent_id, name: 'live', version: '1.0.0' });
    await api.agents.update({ agent_id, system_prompt: `${prompt}\nRefunds: always.` });
    await api.agents.updateAction({ action_id, description: 'Looks it up' });
    await api.agents.publishVersion({ agent_id });
    const portal = await signIn();
    const { page } = portal;
    await portal.open('/releases');
    await page.getByRole('button', { name: 'Move live to 1.1.0' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('added: Refunds: always.').waitFor();
    await dialog.getByText('removed: Refunds: never.').waitFor();
    await dialog.getByRole('row', { name: 'actions: find, description Finds Looks it up' }).waitFor();
    expect(await portal.looksFaults('releases-difference')).toEqual([]);
    expect(portal.faults).toEqual([]);
  }, 180_000);
});
