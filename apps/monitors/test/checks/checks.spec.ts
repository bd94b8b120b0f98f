import { type MonitorConfig, monitors, testSetItems } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { direct, PAGE, when, World } from '../world.js';
import {
  platform,
  world,
  outside,
  api,
  SAID,
  set,
  add,
  published,
  remove,
  start,
  completed,
  checked,
} from './fixture.js';

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
