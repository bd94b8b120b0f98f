import {
  type CheckRun,
  evaluationCriteria,
  type MonitorConfig,
  monitorChecks,
  monitorLinks,
  monitors,
  monitorVersions,
  testRuns,
  testSetItems,
  testSets,
  type TestSetItem,
} from '@signalbox/contracts';
import { eventually, type ModelProvider, Platform, startModelProvider } from '@signalbox/testing';
import { direct, PAGE, when, World } from './world.js';

let platform: Platform;
let world: World;
let outside: ModelProvider;
beforeAll(async () => {
  outside = await startModelProvider();
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'monitors', 'workflows', 'runner', 'test-runs']);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await outside.close();
});
beforeEach(async () => {
  world = await World.make(platform);
});

const api = monitorChecks.endpoints;
const SAID = 'response.choices[0].message.content';
const RUDE = direct(when(SAID, 'contains', 'stupid'));

const set = async (name = 'Golden'): Promise<number> => {
  const body = { name, consumer_kinds: [], criteria_ids: [], tags: [], meta: {} };
  return (await platform.bus.call(testSets.endpoints.createTestSet, body, world.caller())).id;
};
const add = (test_set_id: number, answer: string | null, meta: Record<string, unknown> = {}): Promise<TestSetItem> =>
  platform.bus.call(
    testSetItems.endpoints.createTestSetItem,
    {
      test_set_id,
      input: { messages: [{ role: 'user', content: 'hello' }] },
      expected_output: answer === null ? null : { text: answer },
      meta,
    },
    world.caller(),
  );

/** A published monitor of an intent. */
async function published(): Promise<number> {
  const { id } = await world.monitor({ config: RUDE });
  await world.attach(id, 'intent', (await world.intent()).id);
  await world.publish(id);
  return id;
}

const remove = (test_set_id: number) =>
  platform.bus.call(testSets.endpoints.deleteTestSet, { test_set_id }, world.caller());
const start = (monitor_id: number, test_set_id: number, version = '1.0.0') =>
  platform.bus.call(api.createMonitorCheck, { monitor_id, version, test_set_id }, world.caller());
const completed = (monitor_id: number, check_id: number): Promise<CheckRun> =>
  eventually('the check is completed', async () => {
    const check = await platform.bus.call(api.getMonitorCheck, { monitor_id, check_id }, world.caller());
    return check.status === 'COMPLETED' ? check : null;
  });
const checked = async (monitor_id: number, test_set_id: number): Promise<CheckRun> =>
  completed(monitor_id, (await start(monitor_id, test_set_id)).id);

describe('a check', () => {
  it('judges each item by the version and compares its outcome with the expected one', async () => {
    const id = await published();
    const test_set_id = await set();
    const items = [
      await add(test_set_id, 'gladly'),
      await add(test_set_id, 'you are stupid', { expected_outcome: 'FAULT' }),
      await add(test_set_id, 'you are stupid'),
      await add(test_set_id, null),
      await add(test_set_id, 'gladly', { expected_outcome: 'no outcome' }),
    ];
    const corrected = await add(test_set_id, 'you are stupid');
    await platform.bus.call(
      testSetItems.endpoints.setResponseSub,
      { test_set_id, item_id: corrected.id, expected_output: { text: 'gladly' } },
      world.caller(),
    );
    // The draft is not what a check judges by.
    await world.update(id, { config: direct(when(SAID, 'exists')) });
    const created = await start(id, test_set_id, 'latest');
    expect(created).toMatchObject({
      status: 'CREATED',
      total: 0,
      match_rate: null,
      version_number: '1.0.0',
      items: [],
    });
    const check = await completed(id, created.id);
    expect(check).toMatchObject({ total: 6, matched: 3, mismatched: 1, error_count: 2, match_rate: 0.75, test_set_id });
    expect(check.items.map(({ test_set_item_id }) => test_set_item_id)).toEqual([...items, corrected].map((i) => i.id));
    expect(check.items.map(({ expected_outcome: e, outcome, failure_class: f }) => [e, outcome, f])).toEqual([
      ['PASS', 'PASS', null],
      ['FAULT', 'FAULT', 'quality'],
      ['PASS', 'FAULT', 'quality'],
      ['PASS', 'ERROR', 'adapter'],
      [null, 'ERROR', 'adapter'],
      ['PASS', 'PASS', null],
    ]);
    expect(await world.events('monitor_check', check.id)).toEqual(['monitor_check.completed']);
    const page = await platform.bus.call(api.listMonitorChecks, { ...PAGE, monitor_id: id }, world.caller());
    const { items: _items, ...summary } = check;
    expect(page.data).toEqual([summary]);
  });

  it('of an empty set is completed with nothing in it', async () => {
    const id = await published();
    expect(await checked(id, await set())).toMatchObject({ total: 0, match_rate: null, items: [] });
  });

  it('ends the items that it has not judged as ERROR when it reaches the budget of the day', async () => {
    outside.answerWith(() => '{"verdict":"PASS"}');
    const model = await world.judgeModel(outside.url);
    const config = (max_cost_per_day: number | null): MonitorConfig => ({
      ...direct(),
      runner: { resource_type: 'model', resource_id: model.id, input: { prompt: 'The answer is polite.' } },
      limits: { timeout_ms: 60_000, max_cost_per_day },
    });
    const { id } = await world.monitor({ config: config(null) });
    await world.publish(id);
    const [one, many] = [await set(), await set('Many')];
    await add(one, 'gladly');
    for (let at = 0; at < 20; at++) await add(many, 'gladly');
    const single = await checked(id, one);
    expect(single).toMatchObject({ matched: 1, cost: expect.any(Number) });
    const recorded = await eventually('the recorded judgement', async () => {
      const { rows } = await platform.sql.query<{ metadata: unknown }>(
        `SELECT metadata FROM traffic.requests WHERE company_id = $1 AND origin = 'MONITOR'`,
        [world.companyId],
      );
      return rows.length > 0 ? rows : undefined;
    });
    expect(recorded).toEqual([{ metadata: { monitor_check_id: single.id } }]);
    await world.update(id, { config: config(single.cost! * 10) });
    await world.publish(id);
    const check = await completed(id, (await start(id, many, '1.1.0')).id);
    // Eight items are judged at once: 1 + 8 judgements are below the limit, 1 + 16 are not.
    expect(check).toMatchObject({ total: 20, matched: 16, error_count: 4 });
    expect(check.cost).toBeCloseTo(single.cost! * 16, 9);
    const { test_set_item_id: _id, ...last } = check.items.at(-1)!;
    expect(last).toEqual({
      expected_outcome: 'PASS',
      outcome: 'ERROR',
      failure_class: 'judge',
      error_code: 'budget_exceeded',
    });
    expect((await world.metrics(id)).cost_today).toBeCloseTo(single.cost! * 17, 9);
    await expect(start(id, many, '1.1.0')).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/^budget exhausted until \d+$/),
    });
  }, 60_000);

  it('ends the items that it has not judged as ERROR when its monitor is deleted', async () => {
    const model = await world.judgeModel(outside.url);
    const runner = {
      resource_type: 'model' as const,
      resource_id: model.id,
      input: { prompt: 'The answer is polite.' },
    };
    const { id: monitor_id } = await world.monitor({ config: { ...direct(), runner } });
    await world.publish(monitor_id);
    const test_set_id = await set();
    for (let at = 0; at < 20; at++) await add(test_set_id, 'gladly');
    let deletion: Promise<unknown> | undefined;
    outside.calls.length = 0;
    outside.answerWith(async () => {
      deletion ??= platform.bus.call(monitors.endpoints.deleteMonitor, { monitor_id }, world.caller());
      await deletion;
      return '{"verdict":"PASS"}';
    });
    const { id: check_id } = await start(monitor_id, test_set_id);
    // Eight items are judged at once.
    expect(await completed(monitor_id, check_id)).toMatchObject({ total: 20, matched: 8, error_count: 12 });
    expect(outside.calls).toHaveLength(8);
  }, 60_000);

  it('of more items than one statement stores is given up with all of them', async () => {
    const id = await published();
    const test_set_id = await set();
    await add(test_set_id, 'gladly');
    const check = await checked(id, test_set_id);
    const ITEMS = 12_000;
    const of = [world.companyId, check.id];
    await platform.sql.query(
      `INSERT INTO monitors.monitor_check_items (company_id, check_id, test_set_item_id, position, expected_outcome)
       SELECT $1, $2, 1000000 + n, n, 'PASS' FROM generate_series(1, ${ITEMS}) n`,
      of,
    );
    await platform.sql.query(
      `UPDATE monitors.monitor_checks SET status = 'RUNNING', total = ${ITEMS} + 1 WHERE company_id = $1 AND id = $2`,
      of,
    );
    await platform.sql.query(
      `UPDATE monitors.work SET attempt = 5, done_at = NULL, due_at = now(), lease_owner = NULL
       WHERE company_id = $1 AND kind = 'monitor_check' AND ref = $2::text`,
      of,
    );
    const path = { monitor_id: id, check_id: check.id };
    const page = () =>
      platform.bus.call(api.listMonitorChecks, { ...PAGE, monitor_id: path.monitor_id }, world.caller());
    const given = await eventually('its end', async () => {
      const [found] = (await page()).data;
      return found?.status === 'COMPLETED' ? found : null;
    });
    expect(given).toMatchObject({ total: ITEMS + 1, matched: 1, error_count: ITEMS });
  }, 60_000);

  it('needs a version, a test set and a check of the same monitor and company', async () => {
    const [id, other] = [await published(), (await world.monitor({ name: 'other' })).id];
    const test_set_id = await set();
    await expect(start(id, test_set_id, '9.0.0')).rejects.toMatchObject({ status: 404 });
    await expect(start(other, test_set_id, 'latest')).rejects.toMatchObject({ status: 404 });
    await expect(start(id, 2_000_000_000)).rejects.toMatchObject({ status: 404 });
    const check = await start(id, test_set_id);
    const path = { monitor_id: other, check_id: check.id };
    await expect(platform.bus.call(api.getMonitorCheck, path, world.caller())).rejects.toMatchObject({ status: 404 });
    const stranger = await World.make(platform);
    const foreign = { monitor_id: id, check_id: check.id };
    await expect(platform.bus.call(api.getMonitorCheck, foreign, stranger.caller())).rejects.toMatchObject({
      status: 404,
    });
    await completed(id, check.id);
  });
});

describe('the deletion of a test set', () => {
  it('leaves checks with their counts, and has no further ones', async () => {
    const id = await published();
    const test_set_id = await set();
    await add(test_set_id, 'gladly');
    const check = await checked(id, test_set_id);
    await remove(test_set_id);
    const path = { monitor_id: id, check_id: check.id };
    expect(await platform.bus.call(api.getMonitorCheck, path, world.caller())).toEqual(check);
    await expect(start(id, test_set_id)).rejects.toMatchObject({ status: 404 });
  });

  it('ends a check that is in progress, with ERROR for the items that it has not read', async () => {
    const id = await published();
    const test_set_id = await set();
    for (let at = 0; at < 30; at++) await add(test_set_id, 'gladly');
    const { id: check_id } = await start(id, test_set_id);
    await remove(test_set_id);
    const check = await completed(id, check_id);
    expect(check.matched + check.error_count).toBe(check.total);
    expect(check.items.every(({ outcome, failure_class }) => outcome === 'PASS' || failure_class === 'adapter')).toBe(
      true,
    );
  });
});

describe('the release gate of a monitor', () => {
  const gateOf = (test_set_id: number) => ({ test_set_id, min_match_rate: 0.9, max_age_ms: 60_000, max_error_rate: 0 });
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
