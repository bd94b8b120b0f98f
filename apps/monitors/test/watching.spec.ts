import {
  type AlertRule,
  monitorActivity,
  monitorAlerts,
  monitorPreviews,
  monitors,
  monitorVersions,
} from '@signalbox/contracts';
import { eventually, Platform } from '@signalbox/testing';
import { direct, PAGE, when, World } from './world.js';

const SAID = 'response.choices[0].message.content';
const rude = direct(when(SAID, 'contains', 'stupid'), when(SAID, 'contains', 'maybe'));
const DAY = 86_400_000;

let platform: Platform;
let world: World;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'monitors']);
}, 120_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  world = await World.make(platform);
});

describe('a preview', () => {
  const { previewMonitor, previewConfig } = monitorPreviews.endpoints;
  const payload = { response: { choices: [{ message: { content: 'stupid' } }] } };

  it('judges by draft, version, release or a given configuration, and stores nothing', async () => {
    const { id } = await world.monitor();
    await world.publish(id);
    const release = { monitor_id: id, name: 'prod', version: 'latest', is_default: false };
    await platform.bus.call(monitorVersions.endpoints.createRelease, release, world.caller());
    await world.update(id, { config: rude });
    const preview = (input: object) =>
      platform.bus.call(previewMonitor, { monitor_id: id, use: 'draft' as const, payload, ...input }, world.caller());
    expect(await preview({})).toMatchObject({
      monitor_id: id,
      used_version_number: null,
      outcome: 'FAULT',
      failure_class: 'quality',
      runner_type: 'direct',
      runner_output: payload,
      resolution_trace: [{ group: 'fault', result: true }],
    });
    expect(await preview({ use: 'version', version: 'latest' })).toMatchObject({
      outcome: 'PASS',
      used_version_number: '1.0.0',
    });
    expect(await preview({ use: 'release', release: 'prod' })).toMatchObject({
      outcome: 'PASS',
      used_version_number: '1.0.0',
    });
    expect(await preview({ use: 'adhoc', config: rude })).toMatchObject({
      outcome: 'FAULT',
      used_version_number: null,
    });
    const adhoc = { use: 'adhoc' as const, config: rude, payload };
    expect(await platform.bus.call(previewConfig, adhoc, world.caller())).toMatchObject({
      monitor_id: null,
      outcome: 'FAULT',
    });
    expect(await world.runs(id)).toEqual([]);
    for (const bad of [
      { use: 'version' },
      { version: '1.0.0' },
      { use: 'adhoc' },
      { source_type: 'request' },
      { payload: undefined },
    ])
      await expect(preview(bad)).rejects.toMatchObject({ status: 400 });
    await expect(preview({ use: 'release', release: 'none' })).rejects.toMatchObject({ status: 404 });
  });

  it('judges a recorded source of the company, the newest of which a target shows', async () => {
    const intent = await world.intent();
    const sample = () =>
      platform.bus.call(
        monitorPreviews.endpoints.sampleTarget,
        { target_type: 'intent', target_id: intent.id },
        world.caller(),
      );
    await expect(sample()).rejects.toMatchObject({ status: 404 });
    await world.request(intent, 'fine');
    const source_id = await world.request(intent, 'stupid');
    const newest = await eventually('the newest source', async () => {
      const found = await sample().catch(() => null);
      return found?.source_id === source_id ? found : null;
    });
    expect(newest).toMatchObject({ source_type: 'request', payload: { request_id: source_id } });
    expect(newest.payload_paths).toContain(SAID);
    const { id } = await world.monitor({ config: rude });
    const input = { monitor_id: id, use: 'draft', source_type: 'request', source_id } as const;
    expect(await platform.bus.call(previewMonitor, input, world.caller())).toMatchObject({ outcome: 'FAULT' });
    const stranger = await World.make(platform);
    const { id: theirs } = await stranger.monitor();
    await expect(
      platform.bus.call(previewMonitor, { ...input, monitor_id: theirs }, stranger.caller()),
    ).rejects.toMatchObject({ status: 404, message: 'source not found' });
  });
});

describe('activity and metrics', () => {
  const { getMonitorActivity, getMonitorMetrics, getCompanyActivity } = monitorActivity.endpoints;

  it('count runs by outcome, day and target, without shadows, and rates without errors', async () => {
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id, { config: rude });
    await world.publish(id);
    for (const answer of ['stupid', 'maybe', 'fine', 'well', 'good']) await world.request(intent, answer);
    const runs = await world.judged(id, 5);
    const [first, second] = runs;
    const mark = (set: string, run: number) =>
      platform.sql.query(`UPDATE monitors.monitor_runs SET ${set} WHERE company_id = $1 AND id = $2`, [
        world.companyId,
        run,
      ]);
    // Yesterday's, an error, and a verdict of a shadow version.
    await mark(`date_created = date_created - ${DAY}, cost = 0.5`, runs.find(({ outcome }) => outcome === 'FAULT')!.id);
    await mark(`outcome = 'ERROR', failure_class = 'judge'`, first!.id);
    await mark('shadow = true', second!.id);
    const activity = (input: object) =>
      platform.bus.call(
        getMonitorActivity,
        { monitor_id: id, bucket: 'day', group_by: 'none', ...input },
        world.caller(),
      );
    const { points = [] } = await activity({});
    expect(points).toHaveLength(8);
    expect(points.slice(-2).map(({ timestamp: _at, ...counts }) => counts)).toEqual([
      { pass: 0, warning: 0, fault: 1, error: 0, total: 1 },
      { pass: 1, warning: 1, fault: 0, error: 1, total: 3 },
    ]);
    const byVersion = await activity({ group_by: 'version' });
    expect(byVersion.series?.map(({ key, label }) => [key, label])).toEqual(
      expect.arrayContaining([[expect.stringContaining('/shadow'), expect.stringContaining(' (shadow)')]]),
    );
    expect(byVersion.total).toMatchObject({ total: 5 });
    expect((await activity({ outcome: ['WARNING'] })).points?.at(-1)).toMatchObject({ warning: 1, total: 1 });
    await expect(activity({ bucket: 'hour', start_date: 0 })).rejects.toMatchObject({ status: 400 });
    const metrics = await platform.bus.call(getMonitorMetrics, { monitor_id: id, bucket: 'day' }, world.caller());
    expect(metrics).toMatchObject({
      total: 4,
      pass_count: 1,
      warning_count: 1,
      fault_count: 1,
      error_count: 1,
      fault_rate: 1 / 3,
      warning_rate: 1 / 3,
      cost: 0.5,
      budget_exhausted: false,
    });
    expect(metrics.targets).toMatchObject([{ monitor_target_id: runs[0]!.monitor_target_id, total: 4 }]);
    const company = await platform.bus.call(getCompanyActivity, { bucket: 'day', group_by: 'monitor' }, world.caller());
    expect(company.series).toMatchObject([{ key: String(id), label: 'Watch' }]);
    expect(company.total).toMatchObject({ total: 4 });
  });

  it('are null and empty without runs', async () => {
    const { id } = await world.monitor();
    expect(await platform.bus.call(getMonitorMetrics, { monitor_id: id, bucket: 'day' }, world.caller())).toMatchObject(
      {
        total: 0,
        fault_rate: null,
        avg_runner_duration_ms: null,
        cost: null,
        last_run_at: null,
        targets: [],
      },
    );
  });
});

describe('alerts', () => {
  const { listMonitorAlerts, acknowledgeMonitorAlert, resolveMonitorAlert } = monitorAlerts.endpoints;
  const rule: AlertRule = { metric: 'fault_rate', threshold: 0.5, window_ms: 3_600_000, min_runs: 2 };
  const alerts = async (status?: ('open' | 'acknowledged' | 'resolved')[]) =>
    (await platform.bus.call(listMonitorAlerts, { ...PAGE, ...(status ? { status } : {}) }, world.caller())).data;

  /** No job that evaluates rules waits. */
  const evaluated = () =>
    eventually('the rules are evaluated', async () => {
      const waiting = `SELECT 1 FROM monitors.work WHERE company_id = $1 AND kind = 'monitor_alerts' AND done_at IS NULL`;
      return (await platform.sql.query(waiting, [world.companyId])).rows.length === 0;
    });

  it('open once, are acknowledged, and are resolved when their condition has ended', async () => {
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id, { config: rude, alert_rules: [rule] });
    await world.request(intent, 'stupid');
    await world.judged(id, 1);
    expect(await alerts()).toEqual([]);
    await world.request(intent, 'stupid again');
    const runs = await world.judged(id, 2);
    const [alert] = await eventually('an alert', async () => ((await alerts()).length > 0 ? alerts() : null));
    expect(alert).toMatchObject({
      monitor_id: id,
      rule,
      status: 'open',
      value: 1,
      acknowledged_at: null,
      resolved_at: null,
    });
    expect(alert!.run_ids).toEqual(runs.map((run) => run.id));
    await world.request(intent, 'stupid once more');
    await world.judged(id, 3);
    expect(await alerts()).toHaveLength(1);
    const path = { alert_id: alert!.id };
    const acknowledged = await platform.bus.call(acknowledgeMonitorAlert, path, world.caller());
    expect(acknowledged).toMatchObject({ status: 'acknowledged' });
    expect(await platform.bus.call(acknowledgeMonitorAlert, path, world.caller())).toEqual(acknowledged);
    for (let at = 0; at < 4; at++) await world.request(intent, 'fine');
    await world.judged(id, 7);
    await eventually('its end', async () => (await alerts(['resolved'])).length > 0);
    expect(await alerts()).toMatchObject([{ id: alert!.id, status: 'resolved', resolved_at: expect.any(Number) }]);
    await expect(platform.bus.call(acknowledgeMonitorAlert, path, world.caller())).rejects.toMatchObject({
      status: 409,
    });
    expect(await world.events('monitor_alert', alert!.id)).toEqual([
      'monitor_alert.opened',
      'monitor_alert.acknowledged',
      'monitor_alert.resolved',
    ]);
  });

  it('that their rule has resolved open again by the rate of the whole window', async () => {
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id, { config: rude, alert_rules: [{ ...rule, min_runs: 1 }] });
    let judged = 0;
    const say = async (...answers: string[]) => {
      for (const answer of answers) await world.request(intent, answer);
      await world.judged(id, (judged += answers.length));
    };
    await say('stupid', 'stupid');
    await eventually('an alert', async () => (await alerts(['open'])).length === 1);
    await say('fine', 'fine', 'fine');
    await eventually('its end', async () => (await alerts(['resolved'])).length === 1);
    // 3 of 7 are below the threshold, 4 of 8 are not.
    await say('fine', 'stupid');
    await evaluated();
    expect(await alerts(['open'])).toEqual([]);
    await say('stupid');
    const [again] = await eventually('a second alert', async () => {
      const open = await alerts(['open']);
      return open.length > 0 ? open : null;
    });
    expect(again).toMatchObject({ value: 0.5 });
    expect(again!.run_ids).toHaveLength(4);
    expect(await alerts()).toHaveLength(2);
  });

  it('that are resolved by hand open again only for later runs', async () => {
    const intent = await world.intent();
    const row: AlertRule = { metric: 'consecutive_faults', threshold: 2, window_ms: 3_600_000, min_runs: 1 };
    const { id } = await world.watching('intent', intent.id, { config: rude, alert_rules: [row] });
    for (const answer of ['stupid', 'stupid']) await world.request(intent, answer);
    await world.judged(id, 2);
    const [alert] = await eventually('an alert', async () => ((await alerts()).length > 0 ? alerts() : null));
    expect(alert).toMatchObject({ value: 2 });
    await platform.bus.call(resolveMonitorAlert, { alert_id: alert!.id }, world.caller());
    await world.request(intent, 'stupid');
    await world.judged(id, 3);
    expect(await alerts(['open'])).toEqual([]);
    await world.request(intent, 'stupid');
    await eventually('a second alert', async () => (await alerts(['open'])).length === 1);
    const [second] = await alerts(['open']);
    expect(second).toMatchObject({ value: 2 });
    expect(second!.run_ids).toHaveLength(2);
  });

  it('open for a rule that comes after its runs', async () => {
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id, { config: rude });
    for (const answer of ['stupid', 'stupid']) await world.request(intent, answer);
    await world.judged(id, 2);
    await platform.bus.call(monitors.endpoints.updateMonitor, { monitor_id: id, alert_rules: [rule] }, world.caller());
    await eventually('an alert', async () => (await alerts(['open'])).length === 1, 20_000);
  });

  it('open when the good runs leave the window, without another run', async () => {
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id, { config: rude, alert_rules: [rule] });
    for (const answer of ['fine', 'fine', 'fine', 'stupid', 'stupid']) await world.request(intent, answer);
    await world.judged(id, 5);
    await evaluated();
    expect(await alerts()).toEqual([]);
    await platform.sql.query(
      `UPDATE monitors.monitor_runs SET date_created = date_created - 2 * $3::bigint
       WHERE company_id = $1 AND monitor_id = $2 AND outcome = 'PASS'`,
      [world.companyId, id, rule.window_ms],
    );
    await eventually('an alert', async () => (await alerts(['open'])).length === 1, 90_000);
  }, 150_000);

  it('of a company are unknown to another', async () => {
    await expect(
      platform.bus.call(resolveMonitorAlert, { alert_id: 2_000_000_000 }, world.caller()),
    ).rejects.toMatchObject({ status: 404, message: 'alert not found' });
  });
});
