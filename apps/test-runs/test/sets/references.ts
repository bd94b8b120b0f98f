import {
  agentVersions,
  applications,
  groupTestSets,
  intentGroups,
  intents,
  testSetImports,
  testSets,
} from '@signalbox/contracts';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const { endpoints } = testSets;

describe('a test set that others name', () => {
  it('cannot be deleted while the gate policy of a release names it', async () => {
    const set = await world.set();
    const path = { test_set_id: set.id };
    const agent = await world.agent();
    const publish = { agent_id: agent.id, increment: 'minor' as const, version_notes: '' };
    await platform.bus.call(agentVersions.endpoints.publishVersion, publish, world.caller());
    const release = { agent_id: agent.id, name: 'stable', version: '1.0.0', is_default: true };
    await platform.bus.call(agentVersions.endpoints.createRelease, release, world.caller());
    const gate_policy = { ...path, min_match_rate: 0.9, max_age_ms: 3_600_000, max_error_rate: 0 };
    const change = (policy: typeof gate_policy | null) =>
      platform.bus.call(
        agentVersions.endpoints.updateRelease,
        { agent_id: agent.id, release_name: 'stable', gate_policy: policy },
        world.caller(),
      );
    await change(gate_policy);
    const remove = () => platform.bus.call(endpoints.deleteTestSet, path, world.caller());
    await expect(remove()).rejects.toMatchObject({
      status: 409,
      extras: {
        details: [{ field: 'gate_policy', message: `release stable of agent ${agent.id} names the test set` }],
      },
    });
    await change(null);
    await expect(remove()).resolves.toEqual({ id: set.id, deleted: true });
  });

  it('is not found by the group of another company, and found by tag, meta and imported requests', async () => {
    const application = await platform.bus.call(
      applications.endpoints.createApplication,
      { application_name: 'Shop', state: 'ENABLED', meta: {} },
      world.caller(),
    );
    const intent = await platform.bus.call(
      intents.endpoints.createIntent,
      { application_id: application.id, action_type: 'track', config: {}, meta: {} },
      world.caller(),
    );
    const { intent_group_id } = intent;
    await world.set({ name: 'Unrelated', meta: { intent_group_id: 'text' } });
    await world.set({ name: 'By tag', tags: ['track'] });
    await world.set({ name: 'By meta', meta: { intent_group_id } });
    const imported = await world.set({ name: 'By item' });
    const request_id = await world.request('hello', { application: 'Shop', intent: 'track' });
    const source = { test_set_id: imported.id, request_id, use_correction: true, meta: {} };
    await platform.bus.call(testSetImports.endpoints.importRequest, source, world.caller());
    const list = (caller = world.caller()) =>
      platform.bus.call(groupTestSets.endpoints.listIntentGroupTestSets, { ...PAGE, intent_group_id }, caller);
    expect((await list()).data.map(({ name }) => name)).toEqual(['By item', 'By meta', 'By tag']);
    await expect(list((await World.make(platform)).caller())).rejects.toMatchObject({ status: 404 });
    const group = await platform.bus.call(intentGroups.endpoints.getIntentGroup, { intent_group_id }, world.caller());
    expect(group.intent_group_name).toBe('track');
  });
});
