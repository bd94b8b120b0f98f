import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, monitorActivity } from '@signalbox/contracts';
import { Monitors } from '../monitors/index.js';
import { metricsOf, pointsOf, type Span, spanOf, sumOf } from './activity.js';
import { ActivityCounts, type GroupedPoint } from './activity.repository.js';

type C = typeof monitorActivity;

const NO_RUNS = { pass: 0, warning: 0, fault: 0, error: 0, total: 0, duration_ms: null, cost: null, last_run_at: null };

@Serves(monitorActivity)
export class MonitorActivityHandlers implements Handlers<C> {
  constructor(
    private readonly monitors: Monitors,
    private readonly counts: ActivityCounts,
  ) {}

  async getCompanyActivity({ input, caller }: CallTo<C, 'getCompanyActivity'>) {
    const span = spanOf(input, Date.now());
    const points = await this.counts.pointsOfMonitors(caller.companyId, { span, outcomes: input.outcome });
    return { bucket: input.bucket, ...seriesOf(span, points) };
  }

  async getMonitorActivity({ input, caller }: CallTo<C, 'getMonitorActivity'>) {
    const { monitor_id, bucket, group_by } = input;
    const span = spanOf(input, Date.now());
    await this.monitors.row(caller.companyId, monitor_id);
    const counted = { span, monitorId: monitor_id, targetIds: input.monitor_target_id, outcomes: input.outcome };
    const points = await this.counts.points(caller.companyId, counted, group_by);
    return {
      bucket,
      ...(group_by === 'none' ? { points: pointsOf(span, points.map(withoutGroup)) } : seriesOf(span, points)),
    };
  }

  async getMonitorMetrics({ input, caller }: CallTo<C, 'getMonitorMetrics'>) {
    const { monitor_id } = input;
    const span = spanOf(input, Date.now());
    await this.monitors.row(caller.companyId, monitor_id);
    const counted = { span, monitorId: monitor_id, targetIds: input.monitor_target_id, outcomes: input.outcome };
    const [rows, budget] = await Promise.all([
      this.counts.metrics(caller.companyId, counted),
      this.counts.budget(caller.companyId, counted),
    ]);
    return {
      ...metricsOf(rows.find(({ target_id }) => target_id === null) ?? NO_RUNS),
      ...budget,
      targets: rows.flatMap(({ target_id, ...runs }) =>
        target_id === null ? [] : [{ monitor_target_id: target_id, ...metricsOf(runs) }],
      ),
    };
  }
}

const withoutGroup = ({ key: _key, label: _label, ...point }: GroupedPoint) => point;

function seriesOf(span: Span, points: readonly GroupedPoint[]) {
  const groups = new Map<string, GroupedPoint[]>();
  for (const point of points) {
    const group = groups.get(point.key);
    if (group) group.push(point);
    else groups.set(point.key, [point]);
  }
  return {
    series: [...groups].map(([key, own]) => ({
      key,
      label: own[0]?.label ?? key,
      points: pointsOf(span, own.map(withoutGroup)),
    })),
    total: sumOf(points),
  };
}
