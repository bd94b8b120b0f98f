import { Failure } from '../../parts/failure.js';
import { useState } from 'preact/hooks';
import type { ListedMonitorRun, Monitor, MonitorsListAllRunsInput } from '@signalbox/sdk';
import { useParams } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { AddToTestSet } from '../../parts/add-to-test-set.js';
import { Bars } from '../../parts/bars.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/form.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { useParam } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { useSelection } from '../../parts/rows/selection.js';
import { Tabs } from '../../parts/tabs.js';
import { Time } from '../../parts/time.js';
import { activityWords, bucketsOf, ruleWords, sumOf } from '../../rules/activity.js';
import { duration, exact, money } from '../../rules/formats.js';
import { AlertRows } from './alerts.js';
import { Verdict } from './verdict.js';

const TABS = ['Verdicts', 'Alerts', 'Definition'] as const;
const DAY_MS = 86_400_000;
const DAYS = 14;

/** One monitor: its trend, the verdicts behind it, and why each was given. */
export function MonitorPage() {
  const { api } = usePortal();
  const monitor_id = Number(useParams<{ id: string }>().id);
  const [tab, setTab] = useState<(typeof TABS)[number]>('Verdicts');
  return (
    <div class="page">
      <Loaded name={['monitor', monitor_id]} load={(signal) => api.monitors.get({ monitor_id }, { signal })}>
        {(monitor, reload) => (
          <>
            <Head monitor={monitor} changed={reload} />
            <Activity id={monitor_id} />
            <Tabs label="Monitor" names={TABS} chosen={tab} choose={setTab}>
              {tab === 'Verdicts' && <Verdicts id={monitor_id} />}
              {tab === 'Alerts' && <AlertRows filters={{ monitor_id }} />}
              {tab === 'Definition' && <Definition monitor={monitor} />}
            </Tabs>
          </>
        )}
      </Loaded>
    </div>
  );
}

function Head({ monitor, changed }: { monitor: Monitor; changed: () => void }) {
  const { api, can } = usePortal();
  const [error, setError] = useState<unknown>(null);
  const { id: monitor_id, name, status, description } = monitor;
  const act = (call: Promise<unknown>): void => void call.then(changed).catch(setError);
  return (
    <>
      <div class="head">
        <h1>{name}</h1>
        {can('write') && status === 'ACTIVE' && (
          <button onClick={() => act(api.monitors.pause({ monitor_id }))}>Pause</button>
        )}
        {can('write') && status !== 'ACTIVE' && (
          <button class="primary" onClick={() => act(api.monitors.activate({ monitor_id }))}>
            Activate
          </button>
        )}
      </div>
      <Failure error={error} />
      {description && <p class="soft">{description}</p>}
      <div class="strip">
        <Lamp state={status} />
        <span>
          <small>Version</small> <b>{monitor.default_release ?? monitor.latest_version_number ?? 'not published'}</b>
        </span>
        {monitor.shadow_version !== null && (
          <span>
            <small>Shadow</small> <b>{monitor.shadow_version}</b>
          </span>
        )}
        <span>
          <small>Watches</small>{' '}
          <b>
            {monitor.targets?.map(({ target_name, sample_rate }) => `${target_name} (${sample_rate} %)`).join(', ') ||
              'nothing'}
          </b>
        </span>
        <span>
          <small>Last verdict</small> <Time at={monitor.last_run_at} />
        </span>
      </div>
    </>
  );
}

function Activity({ id }: { id: number }) {
  const { api } = usePortal();
  const [, setDay] = useParam('day');
  const load = async (signal: AbortSignal) => {
    const to = Date.now();
    const from = to - DAYS * DAY_MS;
    const { points = [] } = await api.monitors.getActivity(
      { monitor_id: id, bucket: 'day', start_date: from },
      { signal },
    );
    return bucketsOf(points, 'day', from, to);
  };
  return (
    <section class="card" aria-label="Activity">
      <h2>{`Last ${DAYS} days`}</h2>
      <Loaded name={['activity', id]} load={load} pollMs={10_000}>
        {(buckets) => (
          <>
            <p role="status">{activityWords(sumOf(buckets))}</p>
            <Bars
              label="Verdicts by day"
              buckets={buckets}
              most={Math.max(...buckets.map(({ total }) => total))}
              open={({ timestamp }) => setDay(String(timestamp))}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}

const COLUMNS: Column<ListedMonitorRun>[] = [
  {
    title: 'Outcome',
    width: '160px',
    cell: ({ outcome, failure_class, shadow }) => (
      <>
        <Lamp state={outcome} failureClass={outcome === 'ERROR' ? failure_class : null} />
        {shadow ? ' shadow' : ''}
      </>
    ),
  },
  { title: 'Of', width: '2fr', cell: ({ source_type, source_id }) => `${source_type.replace('_', ' ')} ${source_id}` },
  { title: 'Version', width: '90px', cell: ({ version_number }) => version_number },
  { title: 'Took', width: '90px', isNumber: true, cell: ({ runner_duration_ms }) => duration(runner_duration_ms) },
  { title: 'Cost', width: '90px', isNumber: true, cell: ({ cost }) => money(cost) },
  { title: 'When', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];

const sourceOf = ({ source_type, source_id }: ListedMonitorRun) => ({
  source_type: source_type.toUpperCase() as 'REQUEST' | 'WORKFLOW_RUN' | 'AGENT_TASK',
  source_id,
});

const keyOf = ({ id }: ListedMonitorRun): string => String(id);

function Verdicts({ id }: { id: number }) {
  const { api, can } = usePortal();
  const [outcome, setOutcome] = useParam('outcome');
  const [day, setDay] = useParam('day');
  const [opened, setOpened] = useState<ListedMonitorRun | null>(null);
  const [adds, setAdds] = useState<ReturnType<typeof sourceOf>[] | null>(null);
  const selection = useSelection(keyOf);
  const from = Number(day);
  const filters: MonitorsListAllRunsInput = {
    monitor_id: id,
    ...(outcome ? { outcome: [outcome as 'FAULT'] } : {}),
    ...(day ? { start_date: from, end_date: from + DAY_MS - 1 } : {}),
  };
  const chosen = [...selection.chosen.values()];
  return (
    <>
      <div class="bar">
        <Field label="Outcome">
          <select value={outcome} onChange={({ currentTarget }) => setOutcome(currentTarget.value)}>
            <option value="">any</option>
            <option value="FAULT">fault</option>
            <option value="WARNING">warning</option>
            <option value="PASS">pass</option>
            <option value="ERROR">not judged: an error</option>
          </select>
        </Field>
        {day && <button onClick={() => setDay('')}>{`Only ${exact(from).slice(0, 10)} ✕`}</button>}
      </div>
      <Rows<ListedMonitorRun>
        label="Verdicts"
        name={['monitor runs', filters]}
        columns={COLUMNS}
        live="newest"
        load={(offset, limit, signal) => api.monitors.listAllRuns({ ...filters, offset, limit }, { signal })}
        open={setOpened}
        selection={selection}
        actions={
          chosen.length > 0 &&
          can('write') && (
            <button onClick={() => setAdds(chosen.map(sourceOf))}>{`Add ${chosen.length} to test set`}</button>
          )
        }
        empty={<Empty title={outcome || day ? 'No verdict matches.' : 'Nothing has been judged yet.'} />}
      />
      {opened && (
        <Verdict run={opened} close={() => setOpened(null)} addToTestSet={() => setAdds([sourceOf(opened)])} />
      )}
      {adds && <AddToTestSet sources={adds} close={() => setAdds(null)} />}
    </>
  );
}

function Definition({ monitor: { config, alert_rules } }: { monitor: Monitor }) {
  return (
    <>
      <section class="card" aria-label="Alert rules">
        <h2>Alert rules</h2>
        {alert_rules.length === 0 ? (
          <p class="soft">No rule opens an alert.</p>
        ) : (
          <ul>
            {alert_rules.map((rule) => (
              <li key={JSON.stringify(rule)}>{ruleWords(rule)}</li>
            ))}
          </ul>
        )}
      </section>
      <JsonView label="Draft" value={config} />
    </>
  );
}
