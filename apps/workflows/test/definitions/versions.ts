import { workflowVersions } from '@signalbox/contracts';
import { ECHO, PAGE } from '../world.js';
import { platform, world } from './fixture.js';

const api = workflowVersions.endpoints;
const CHANGED = `${ECHO}// changed`;

describe('versions of workflows', () => {
  it('freeze the draft, count up from 1.0.0 and never change', async () => {
    const { id } = await world.workflow({ description: 'one' });
    const first = await world.publish(id, 'patch');
    expect(first).toMatchObject({ workflow_id: id, version_number: '1.0.0', is_latest: true, version_notes: '' });
    expect(first).not.toHaveProperty('snapshot');
    expect(await world.get(id)).toMatchObject({ latest_version_number: '1.0.0', has_unpublished_changes: false });
    await world.change(id, { description: 'two' });
    expect(await world.get(id)).toMatchObject({ has_unpublished_changes: true });
    expect(await world.publish(id)).toMatchObject({ version_number: '1.1.0' });
    expect(await world.publish(id, 'major')).toMatchObject({ version_number: '2.0.0' });
    const get = (version: string) =>
      platform.bus.call(api.getVersion, { workflow_id: id, version, include_snapshot: true }, world.caller());
    expect(await get('1.0.0')).toMatchObject({ is_latest: false, snapshot: { description: 'one' } });
    expect(await get('latest')).toMatchObject({ version_number: '2.0.0', snapshot: { description: 'two' } });
    const { data } = await platform.bus.call(api.listVersions, { workflow_id: id, ...PAGE }, world.caller());
    expect(data.map(({ version_number }) => version_number)).toEqual(['2.0.0', '1.1.0', '1.0.0']);
    await expect(
      platform.sql.query(`SET ROLE svc_workflows; UPDATE workflows.workflow_versions SET snapshot = '{}'`),
    ).rejects.toMatchObject({ code: '42501' });
    await platform.sql.query('RESET ROLE');
  });

  it('are compared with the draft field by field, scripts by their texts', async () => {
    const { id } = await world.workflow();
    await world.publish(id);
    const diff = () =>
      platform.bus.call(api.diffVersions, { workflow_id: id, from: '1.0.0', to: 'draft' }, world.caller());
    expect(await diff()).toMatchObject({ from_version: '1.0.0', to_version: null, has_changes: false, changes: {} });
    await world.change(id, { script: CHANGED, timeout_seconds: 7, meta: { team: 'a' } });
    expect((await diff()).changes).toEqual({
      script: { from: ECHO, to: CHANGED },
      timeout_seconds: { from: 120, to: 7 },
      'meta.team': { from: null, to: 'a' },
    });
  });

  it('are restored onto the draft', async () => {
    const { id } = await world.workflow({ output_schema: { type: 'string' } });
    const original = await world.get(id, true);
    await world.publish(id);
    await world.change(id, { script: CHANGED, output_schema: null, workflow_name: 'Other' });
    await platform.bus.call(api.restoreVersion, { workflow_id: id, version: '1.0.0' }, world.caller());
    const { date_updated: _restored, ...restored } = await world.get(id, true);
    const { date_updated: _created, ...expected } = original;
    expect(restored).toEqual({ ...expected, latest_version_number: '1.0.0', has_unpublished_changes: false });
  });

  it('are pointed at by releases, of which one may be the default', async () => {
    const { id } = await world.workflow();
    await world.publish(id);
    await world.publish(id);
    expect(await world.release(id, 'stable', '1.0.0', true)).toMatchObject({
      name: 'stable',
      version_number: '1.0.0',
      is_default: true,
    });
    const move = { workflow_id: id, release_name: 'stable', version: 'latest' };
    expect(await platform.bus.call(api.updateRelease, move, world.caller())).toMatchObject({ version_number: '1.1.0' });
    const path = { workflow_id: id, release_name: 'stable' };
    const moves = await platform.bus.call(api.listReleaseMoves, { ...path, ...PAGE }, world.caller());
    expect(moves.data).toMatchObject([
      { from_version: '1.0.0', to_version: '1.1.0' },
      { from_version: null, to_version: '1.0.0' },
    ]);
    await platform.bus.call(api.deleteRelease, path, world.caller());
    await expect(platform.bus.call(api.getRelease, path, world.caller())).rejects.toMatchObject({ status: 404 });
  });
});
