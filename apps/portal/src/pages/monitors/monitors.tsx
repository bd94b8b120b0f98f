import { useState } from 'preact/hooks';
import type { Monitor, MonitorActivity, MonitorSummary, Signalbox } from '@signalbox/sdk';
import { Link, useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Bars } from '../../parts/bars.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { useQueryParams } from '../../parts/param.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { type Bucket, bucketsOf, faultRate, sumOf } from '../../rules/activity.js';
import { count, percent } from '../../rules/formats.js';
import { type MonitorRow, monitorsByState, monitorsByTarget } from '../../rules/monitor-groups.js';
import { NewMonitor } from './new-monitor.js';

const DAY_MS = 86_400_000;
const LISTED = 100;

type Row = MonitorRow & { monitor: MonitorSummary; buckets: Bucket[] };

/** The list of monitors has only the number of targets. */
const targetsOf = (api: Signalbox, monitors: readonly MonitorSummary[], signal: AbortSignal): Promise<Monitor[]> =>
  Promise.all(
    monitors
      .filter(({ target_count }) => target_count > 0)
      .map(({ id: monitor_id }) => api.monitors.get({ monitor_id }, { signal })),
  );

/** Trends share one scale; grouped by state or target, most alerts first. */
export function Monitors() {
  const { api, can } = usePortal();
  const [, go] = useLocation();
  const [params, change] = useQueryParams();
  const [isNew, setIsNew] = useState(false);
  const by = params.get('by') === 'target' ? 'target' : 'state';
  const search = params.get('search') ?? '';
  const load = async (signal: AbortSignal) => {
    const to = Date.now();
    const named = search === '' ? {} : { search };
    const [monitors, activity, alerts] = await Promise.all([
      api.monitors.list({ limit: LISTED, ...named }, { signal }),
      api.monitors.getCompanyActivity({ group_by: 'monitor', bucket: 'hour', start_date: to - DAY_MS }, { signal }),
      api.monitors.listAlerts({ status: ['open'], limit: LISTED }, { signal }).all(),
    ]);
    const watched = by === 'target' ? await targetsOf(api, monitors.data, signal) : [];
    const loud = new Map<number, number>();
    for (const { monitor_id } of alerts) loud.set(monitor_id, (loud.get(monitor_id) ?? 0) + 1);
    return { rows: rowsOf(monitors.data, activity, loud, watched, to), total: monitors.pagination.total };
  };
  const make = (
    <button class="primary" aria-disabled={!can('write')} onClick={() => can('write') && setIsNew(true)}>
      New monitor
    </button>
  );
  return (
    <div class="page">
      <div class="head">
        <h1>Monitors</h1>
        {make}
      </div>
      <div class="bar">
        <Field label="Name contains">
          <input
            type="search"
            value={search}
            onInput={({ currentTarget }) => change({ search: currentTarget.value })}
          />
        </Field>
        <Field label="Grouped by">
          <select
            value={by}
            onChange={({ currentTarget: { value } }) => change({ by: value === 'state' ? '' : value })}
          >
            <option value="state">state</option>
            <option value="target">what they watch</option>
          </select>
        </Field>
      </div>
      <Loaded name={['monitors', by, search]} load={load} pollMs={10_000}>
        {({ rows, total }) => {
          if (rows.length === 0 && search !== '')
            return (
              <Empty title="No monitor has such a name.">
                <button onClick={() => change({ search: '' })}>Clear the search</button>
              </Empty>
            );
          if (rows.length === 0)
            return (
              <Empty title="Nothing is watched yet.">
                <p class="soft">A monitor judges the runs of an agent or a workflow, by a rule or by a model.</p>
              </Empty>
            );
          const most = Math.max(1, ...rows.flatMap(({ buckets }) => buckets.map((bucket) => bucket.total)));
          const groups = by === 'state' ? monitorsByState(rows) : monitorsByTarget(rows);
          return (
            <>
              {groups.map(({ title, rows: shown }) => (
                <section key={title} class="stack tight" aria-label={title}>
                  <h2>
                    {title} <span class="soft">{count(shown.length)}</span>
                  </h2>
                  <MonitorTable title={title} rows={shown} most={most} />
                </section>
              ))}
              {total > rows.length && (
                <p class="soft">{`${rows.length} of ${total} are shown; search by name for the others.`}</p>
              )}
            </>
          );
        }}
      </Loaded>
      {isNew && <NewMonitor close={() => setIsNew(false)} made={(id) => go(`/monitors/${id}`)} />}
    </div>
  );
}

const COLUMNS = ['Monitor', 'State', 'Last day', 'Judged', 'Faults', 'Last verdict'];
const NUMBERS = ['Judged', 'Faults'];

const MonitorTable = ({ title, rows, most }: { title: string; rows: readonly Row[]; most: number }) => (
  <Table label={`Monitors: ${title}`} columns={COLUMNS} numbers={NUMBERS} isEven>
    {rows.map(({ monitor: { id, name, status, last_run_at }, buckets, alerts }) => {
      const sum = sumOf(buckets);
      return (
        <tr key={id}>
          <td>
            <Link href={`/monitors/${id}`}>{name}</Link>
            {alerts > 0 && (
              <p>
                <Link href={`/alerts?monitor_id=${id}`}>
                  <Lamp state="ALERT" /> {alerts} open
                </Link>
              </p>
            )}
          </td>
          <td>
            <Lamp state={status} />
          </td>
          <td>
            <Bars label={`Verdicts of ${name}`} buckets={buckets} most={most} isSmall />
          </td>
          <td class="number">{count(sum.total)}</td>
          <td class="number">{percent(faultRate(sum))}</td>
          <td>
            <Time at={last_run_at} />
          </td>
        </tr>
      );
    })}
  </Table>
);

function rowsOf(
  monitors: readonly MonitorSummary[],
  { series = [] }: MonitorActivity,
  loud: ReadonlyMap<number, number>,
  watched: readonly Monitor[],
  to: number,
): Row[] {
  const points = new Map(series.map((each) => [each.key, each.points]));
  const targets = new Map(watched.map(({ id, targets: of = [] }) => [id, of.map(({ target_name }) => target_name)]));
  return monitors.map((monitor) => {
    const buckets = bucketsOf(points.get(String(monitor.id)) ?? [], 'hour', to - DAY_MS, to);
    return {
      monitor,
      buckets,
      status: monitor.status,
      faults: sumOf(buckets).fault,
      alerts: loud.get(monitor.id) ?? 0,
      targets: targets.get(monitor.id) ?? [],
    };
  });
}
