import { agentVersions, testSets } from '@signalbox/contracts';
import { dataIn } from './client.js';
import { agentId, call, caller, platform } from './fixture.js';

describe('building', () => {
  it('writes, publishes and moves a release through its gate', async () => {
    const written = await call('write_api', {
      method: 'PUT',
      path: `/agents/${agentId}`,
      body: { agent_name: 'Renamed' },
    });
    expect(dataIn(written.text)).toMatchObject({ data: { agent_name: 'Renamed' } });
    for (const version of ['1.0.0', '1.1.0'])
      expect((await call('publish', { kind: 'agent', id: agentId })).text).toContain(version);
    const of = { agent_id: agentId, name: 'live' };
    const set = await platform.bus.call(testSets.endpoints.createTestSet, { name: 'Gate' } as never, caller());
    const policy = { test_set_id: set.id, min_match_rate: 1, max_age_ms: 3_600_000 };
    await call('write_api', {
      method: 'POST',
      path: `/agents/${agentId}/releases`,
      body: { name: 'live', version: '1.0.0' },
    });
    const release = { kind: 'agent', id: agentId, release: 'live', version: '1.1.0' };
    expect((await call('check_release', release)).text).toContain('The gate lets the version pass');
    await platform.bus.call(
      agentVersions.endpoints.updateRelease,
      { agent_id: of.agent_id, release_name: of.name, gate_policy: policy } as never,
      caller(),
    );
    expect((await call('check_release', release)).text).toContain('The gate refuses the version');
    expect(await call('move_release', release)).toMatchObject({ isError: true, text: expect.stringContaining('409') });
    const overridden = await call('write_api', {
      method: 'PUT',
      path: `/agents/${agentId}/releases/live`,
      body: { version: '1.1.0', override_reason: 'because' },
    });
    expect(overridden).toMatchObject({ isError: true, text: expect.stringContaining('403') });
  });

  it.each([
    ['keys', { method: 'POST', path: '/api-keys', body: { name: 'x' } }],
    ['webhooks', { method: 'POST', path: '/webhooks', body: { url: 'https://example.com', events: ['*'] } }],
    ['the company', { method: 'PUT', path: '/company', body: { name: 'x' } }],
    ['providers', { method: 'POST', path: '/models/providers', body: {} }],
  ])('never reaches %s, though the key is of an admin', async (_, args) => {
    expect(await call('write_api', args)).toMatchObject({ isError: true, text: expect.stringMatching(/^40[345]/) });
  });
});
