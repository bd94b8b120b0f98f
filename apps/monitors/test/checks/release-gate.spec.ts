import { evaluationCriteria, monitorLinks, monitorVersions, testRuns, testSetItems } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { platform, world, set, add, published, remove, checked } from './fixture.js';

describe('the release gate of a monitor', () => {
  const gateOf = (test_set_id: number) => ({
    test_set_id,
    min_match_rate: 0.9,
    max_age_ms: 3_600_000,
    max_error_rate: 0,
  });
  const release = (monitor_id: number, test_set_id: number) =>
    platform.bus.call(
      monitorVersions.endpoints.createRelease,
      { monitor_id, name: 'prod', version: '1.0.0', is_default: true, gate_policy: gateOf(test_set_id) },
      world.caller(),
    );

  it('opens by the newest check of the version over the set, and says what is missing before', async () => {
    const id = await published();
    const test_set_id = await set();
    const item = await add(test_set_id, 'you are stupid');
    await expect(release(id, test_set_id)).rejects.toMatchObject({
      status: 409,
      message: 'release gate: no check matches',
      extras: { details: [{ field: 'test_run' }] },
    });
    const bad = await checked(id, test_set_id);
    await expect(release(id, test_set_id)).rejects.toMatchObject({
      status: 409,
      message: `release gate: the match rate of check ${bad.id} is 0 %, below 90 %`,
      extras: { details: [{ field: 'match_rate' }] },
    });
    await platform.bus.call(
      testSetItems.endpoints.updateTestSetItem,
      { test_set_id, item_id: item.id, meta: { expected_outcome: 'FAULT' } },
      world.caller(),
    );
    await checked(id, test_set_id);
    expect(await release(id, test_set_id)).toMatchObject({ name: 'prod', version_number: '1.0.0' });
    const gated = await platform.bus.call(monitorLinks.endpoints.listGatedReleases, { test_set_id }, world.caller());
    expect(gated.releases).toEqual([{ parent_type: 'monitor', parent_id: id, name: 'prod' }]);
    await expect(remove(test_set_id)).rejects.toMatchObject({
      status: 409,
      message: 'the test set is named by the gate policies of 1 releases',
      extras: {
        details: [{ field: 'gate_policy', message: `release prod of monitor ${id} names the test set` }],
      },
    });
  });

  it('counts items that could not be judged, and needs a set that exists', async () => {
    const id = await published();
    const test_set_id = await set();
    await add(test_set_id, 'gladly');
    await add(test_set_id, null);
    const check = await checked(id, test_set_id);
    await expect(release(id, test_set_id)).rejects.toMatchObject({
      message: `release gate: the error rate of check ${check.id} is 50 %, above 0 %`,
    });
    await expect(release(id, 2_000_000_000)).rejects.toMatchObject({ status: 404 });
  });

  /** Whether the release may move to the version now. */
  const verdict = (monitor_id: number) =>
    platform.bus.call(
      monitorVersions.endpoints.checkRelease,
      { monitor_id, release_name: 'prod', version: '1.0.0' },
      world.caller(),
    );
  const move = (monitor_id: number) =>
    platform.bus.call(
      monitorVersions.endpoints.updateRelease,
      { monitor_id, release_name: 'prod', version: '1.0.0' },
      world.caller(),
    );

  it('is closed once items were added, removed, changed or overridden, until the version is checked again', async () => {
    const id = await published();
    const test_set_id = await set();
    const [first, second] = [await add(test_set_id, 'gladly'), await add(test_set_id, 'of course')];
    await checked(id, test_set_id);
    await release(id, test_set_id);
    expect(await verdict(id)).toMatchObject({ passed: true });
    const item = { test_set_id, item_id: first.id };
    const edits: [change: () => Promise<unknown>, stale: () => number][] = [
      [
        () =>
          platform.bus.call(
            testSetItems.endpoints.updateTestSetItem,
            { ...item, expected_output: { text: 'yes' } },
            world.caller(),
          ),
        () => first.id,
      ],
      [
        () =>
          platform.bus.call(
            testSetItems.endpoints.setResponseSub,
            { ...item, expected_output: { text: 'certainly' } },
            world.caller(),
          ),
        () => first.id,
      ],
      [() => platform.bus.call(testSetItems.endpoints.deleteResponseSub, item, world.caller()), () => first.id],
      [
        () =>
          platform.bus.call(
            testSetItems.endpoints.deleteTestSetItem,
            { test_set_id, item_id: second.id },
            world.caller(),
          ),
        () => second.id,
      ],
      [async () => (third = await add(test_set_id, 'sure')).id, () => third.id],
    ];
    let third = first;
    for (const [edit, stale] of edits) {
      await edit();
      const check = await verdict(id);
      expect(check).toMatchObject({ passed: false, stale_items: [stale()] });
      expect(check.reasons).toEqual([
        expect.stringMatching(/^1 items of the test set have changed since check \d+: \d+$/),
      ]);
      await expect(move(id)).rejects.toMatchObject({ status: 409, extras: { details: [{ field: 'items' }] } });
      await checked(id, test_set_id);
      expect(await verdict(id)).toMatchObject({ passed: true });
    }
    // An item that has come and gone since changes nothing.
    const { id: item_id } = await add(test_set_id, 'gladly');
    await platform.bus.call(testSetItems.endpoints.deleteTestSetItem, { test_set_id, item_id }, world.caller());
    expect(await verdict(id)).toMatchObject({ passed: true });
  });

  it('is opened by checks alone: no test run, cancelled or scored by other criteria, changes it', async () => {
    const id = await published();
    const test_set_id = await set();
    await add(test_set_id, 'you are stupid');
    const bad = await checked(id, test_set_id);
    const isClosed = () =>
      expect(release(id, test_set_id)).rejects.toMatchObject({
        message: `release gate: the match rate of check ${bad.id} is 0 %, below 90 %`,
      });
    const criterion = await platform.bus.call(
      evaluationCriteria.endpoints.createCriteria,
      {
        ...{ name: 'Trivial', criteria_type: 'BOOLEAN', method: 'REGEX', config: { pattern: '.*' } },
        ...{ weight: 1, enabled: true },
      } as const,
      world.caller(),
    );
    const runs = testRuns.endpoints;
    const created = () =>
      platform.bus.call(
        runs.createTestRun,
        {
          ...{ test_set_id, meta: {}, auto_score: false, repeats: 1 },
          ...{ consumer_kind: 'MODEL', consumer_config: { model: 'simulated-echo' } },
        } as const,
        world.caller(),
      );
    const green = await created();
    await platform.bus.call(runs.prepareTestRun, { id: green.id }, world.caller());
    await platform.bus.call(runs.executeTestRun, { id: green.id, concurrency: 1, secrets: {} }, world.caller());
    await eventually('the run is completed', async () => {
      const { status } = await platform.bus.call(runs.getTestRun, { id: green.id }, world.caller());
      return status === 'COMPLETED';
    });
    const other = { id: green.id, criteria_ids: [criterion.id] };
    expect(await platform.bus.call(runs.scoreTestRun, other, world.caller())).toMatchObject({ matched: 1 });
    await isClosed();
    const cancelled = await created();
    await platform.bus.call(runs.prepareTestRun, { id: cancelled.id }, world.caller());
    await platform.bus.call(runs.cancelTestRun, { id: cancelled.id }, world.caller());
    await isClosed();
  });

  // Last, because the service keeps its clock until the end of this file.
  it('is closed by a change after the check, also when the clock of the service that changes items is behind', async () => {
    const slow = `data:text/javascript,const now = Date.now; Date.now = () => now() - 120000`;
    await platform.restartService('test-runs', { NODE_OPTIONS: `--import ${slow.replaceAll(' ', '%20')}` });
    const id = await published();
    const test_set_id = await set();
    const [first, second] = [await add(test_set_id, 'gladly'), await add(test_set_id, 'of course')];
    await checked(id, test_set_id);
    await release(id, test_set_id);
    const change = { test_set_id, item_id: first.id, expected_output: { text: 'yes' } };
    await platform.bus.call(testSetItems.endpoints.updateTestSetItem, change, world.caller());
    expect(await verdict(id)).toMatchObject({ passed: false, stale_items: [first.id] });
    const gone = { test_set_id, item_id: second.id };
    await platform.bus.call(testSetItems.endpoints.deleteTestSetItem, gone, world.caller());
    expect(await verdict(id)).toMatchObject({ passed: false, stale_items: [first.id, second.id] });
  });
});
