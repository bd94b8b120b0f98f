import { randomUUID } from 'node:crypto';
import { intentGroups, legacyTestSets, testSetImports, testSetItems, testSets } from '@signalbox/contracts';
import { PAGE } from '../world.js';
import { platform, world } from './fixture.js';

const { endpoints } = legacyTestSets;

describe('the legacy view of test sets', () => {
  it('creates, shows and changes the unified set', async () => {
    const { id: intent_group_id } = await platform.bus.call(
      intentGroups.endpoints.createIntentGroup,
      { intent_group_name: 'track', meta: {} },
      world.caller(),
    );
    const body = { name: 'Golden', intent_group_id };
    const { id } = await platform.bus.call(endpoints.createLegacyTestSet, body, world.caller());
    const unified = await platform.bus.call(testSets.endpoints.getTestSet, { test_set_id: id }, world.caller());
    expect(unified).toMatchObject({ name: 'Golden', consumer_kinds: ['MODEL'], meta: { intent_group_id } });
    const change = { id, name: 'Silver', intent_group_id: null };
    const changed = await platform.bus.call(endpoints.updateLegacyTestSet, change, world.caller());
    expect(changed).toEqual({
      id,
      name: 'Silver',
      intent_group_id: null,
      request_count: 0,
      date_created: unified.date_created,
    });
    const unknown = { name: 'Bronze', intent_group_id: 2_000_000_000 };
    const refused = platform.bus.call(endpoints.createLegacyTestSet, unknown, world.caller());
    await expect(refused).rejects.toMatchObject({ status: 404 });
    await platform.bus.call(endpoints.deleteLegacyTestSet, { id }, world.caller());
    await expect(platform.bus.call(endpoints.getLegacyTestSet, { id }, world.caller())).rejects.toMatchObject({
      status: 404,
    });
  });

  it('lists sets by type', async () => {
    await world.set({ name: 'Any' });
    await world.set({ name: 'Model', consumer_kinds: ['MODEL', 'AGENT'] });
    await world.set({ name: 'Workflow', consumer_kinds: ['WORKFLOW'] });
    await world.set({ name: 'Agent', consumer_kinds: ['AGENT'] });
    const names = async (type: 'request' | 'workflow') => {
      const { data } = await platform.bus.call(endpoints.listLegacyTestSets, { ...PAGE, type }, world.caller());
      return data.map(({ name }) => name);
    };
    expect(await names('request')).toEqual(['Model', 'Any']);
    expect(await names('workflow')).toEqual(['Workflow']);
  });

  it('imports requests all or none, hides items of agents, and overrides responses', async () => {
    const { id } = await world.set();
    const [one, two] = [await world.request('one'), await world.request('two')];
    const add = (request_ids: string[]) =>
      platform.bus.call(endpoints.addLegacyTestSetRequests, { id, request_ids }, world.caller());
    await expect(add([one, randomUUID()])).rejects.toMatchObject({ status: 404, message: 'request not found' });
    const set = () => platform.bus.call(endpoints.getLegacyTestSet, { id }, world.caller());
    expect((await set()).request_count).toBe(0);
    const added = await add([two, one]);
    expect(added.map(({ request_id }) => request_id)).toEqual([two, one]);
    expect(added[0]).toMatchObject({ messages: [{ role: 'user', content: 'two' }] });
    expect(await add([one])).toEqual([added[1]]);

    const task = await world.task((await world.agent()).id, { message: 'three' });
    const source = {
      test_set_id: id,
      agent_task_id: task.id,
      flatten_variant: 'agent_first_user_message' as const,
      meta: {},
    };
    const { item } = await platform.bus.call(testSetImports.endpoints.importAgentTask, source, world.caller());
    expect((await set()).request_count).toBe(2);
    const page = await platform.bus.call(endpoints.listLegacyTestSetRequests, { ...PAGE, id }, world.caller());
    expect(page.data.map(({ request_id }) => request_id)).toEqual([one, two]);

    const respond = (request_id: number) =>
      platform.bus.call(endpoints.setLegacyResponse, { id, request_id, message_content: 'better' }, world.caller());
    await expect(respond(item.id)).rejects.toMatchObject({ status: 404 });
    expect(await respond(added[0]!.id)).toEqual({ status: 'success' });
    const path = { test_set_id: id, item_id: added[0]!.id };
    const overridden = await platform.bus.call(testSetItems.endpoints.getTestSetItem, path, world.caller());
    expect(overridden.effective_expected_output).toEqual({ message: { role: 'assistant', content: 'better' } });
    expect(overridden.expected_output?.message?.content).toContain('two');
  });
});
