import type { MonitorActivity, MonitorSummary } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Bars } from '../../parts/bars.js';
import { Empty } from '../../parts/empty.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { type Bucket, bucketsOf, faultRate, sumOf } from '../../rules/activity.js';
import { count, percent } from '../../rules/formats.js';

const DAY_MS = 86_400_000;

/** Every monitor with its last day on one scale, those with most faults first. */
export function Monitors() {
  const { api } = usePortal();
  const load = async (signal: AbortSignal) => {
    const to = Date.now();
    const [monitors, activity, alerts] = await Promise.all([
      api.monitors.list({ limit: 100 }, { signal }),
      api.monitors.getCompanyActivity({ group_by: 'monitor', bucket: 'hour', start_date: to - DAY_MS }, { signal }),
      api.monitors.listAlerts({ status: ['open'], limit: 100 }, { signal }),
    ]);
    const loud = new Map<number, number>();
    for (const { monitor_id } of alerts.data) loud.set(monitor_id, (loud.get(monitor_id) ?? 0) + 1);
    return { rows: rowsOf(monitors.data, activity, to), total: monitors.pagination.total, loud };
  };
  return (
    <div class="page">
      <div class="head">
        <h1>Monitors</h1>
        <Link href="/alerts">Alerts</Link>
      </div>
      <Loaded name={['monitors']} load={load} pollMs={10_000}>
        {({ rows, total, loud }) =>
          rows.length === 0 ? (
            <Empty title="Nothing is watched yet.">
              <p class="soft">A monitor samples what agents, workflows and intents did, and judges it.</p>
              <a href="/docs">How a monitor is made, by the API</a>
            </Empty>
          ) : (
            <>
              <Table label="Monitors" columns={['Monitor', 'State', 'Last day', 'Judged', 'Faults', 'Last verdict']}>
                {rows.map(({ monitor, buckets, most }) => {
                  const sum = sumOf(buckets);
                  return (
                    <tr key={monitor.id}>
                      <td>
                        <Link href={`/monitors/${monitor.id}`}>{monitor.name}</Link>
                        {loud.has(monitor.id) && (
                          <p>
                            <Link href={`/alerts?monitor_id=${monitor.id}`}>
                              <Lamp state="ALERT" /> {loud.get(monitor.id)} open
                            </Link>
                          </p>
                        )}
                      </td>
                      <td>
                        <Lamp state={monitor.status} />
                      </td>
                      <td>
                        <Bars label={`Verdicts of ${monitor.name}`} buckets={buckets} most={most} isSmall />
                      </td>
                      <td>{count(sum.total)}</td>
                      <td>{percent(faultRate(sum))}</td>
                      <td>
                        <Time at={monitor.last_run_at} />
                      </td>
                    </tr>
                  );
                })}
              </Table>
              {total > rows.length && <p class="soft">{`${rows.length} of ${total} are shown.`}</p>}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

interface Row {
  monitor: MonitorSummary;
  buckets: Bucket[];
  /** The largest bucket of all monitors. */
  most: number;
}

function rowsOf(monitors: MonitorSummary[], { series = [] }: MonitorActivity, to: number): Row[] {
  const points = new Map(series.map((each) => [each.key, each.points]));
  const rows = monitors.map((monitor) => ({
    monitor,
    buckets: bucketsOf(points.get(String(monitor.id)) ?? [], 'hour', to - DAY_MS, to),
  }));
  const most = Math.max(1, ...rows.flatMap(({ buckets }) => buckets.map(({ total }) => total)));
  const faults = ({ buckets }: { buckets: Bucket[] }): number => sumOf(buckets).fault;
  return rows.toSorted((a, b) => faults(b) - faults(a)).map((row) => ({ ...row, most }));
}
