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
    await dialog.getByRole('button', { name: 'Run the tests on 1.1.0 now' }).click();
    await dialog.getByText('May move').waitFor();
    await portal.picture('releases-move');
    await dialog.getByRole('button', { name: 'Move to 1.1.0', exact: true }).click();
    await page.getByText('production of Clerk is on 1.1.0.').waitFor();

    await card.getByRole('button', { name: 'History of production' }).click();
    await dialog.getByText('gate was green').waitFor();
    await portal.picture('releases-history');
    await dialog.getByRole('button', { name: 'Move back to 1.0.0' }).click();
    await dialog.getByText('Blocked').waitFor();
    await dialog.getByText('Move it although the gate is closed').click();
    await dialog.getByLabel('Reason').fill('the new one is rude');
    await dialog.getByRole('button', { name: 'Move to 1.0.0 all the same' }).click();
    await page.getByText('production of Clerk is on 1.0.0.').waitFor();
    await card.getByRole('button', { name: 'Make default of production' }).click();
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
});
