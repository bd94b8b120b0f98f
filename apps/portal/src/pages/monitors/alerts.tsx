import { Failure } from '../../parts/failure.js';
import { useState } from 'preact/hooks';
import type { MonitorAlert, MonitorsListAlertsInput } from '@signalbox/sdk';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { AddToTestSet } from '../../parts/add-to-test-set.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { useParam } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { alertValue, ruleWords } from '../../rules/activity.js';

const LAMPS = { open: 'ALERT', acknowledged: 'SEEN', resolved: 'RESOLVED' } as const;

const columnsOf = (names: ReadonlyMap<number, string>): Column<MonitorAlert>[] => [
  { title: 'State', width: '130px', cell: ({ status }) => <Lamp state={LAMPS[status]} /> },
  {
    title: 'Monitor',
    width: '2fr',
    cell: ({ monitor_id: id }) => (
      <Link class="quiet" href={`/monitors/${id}`} tabIndex={-1}>
        {names.get(id) ?? `monitor ${id}`}
      </Link>
    ),
  },
  { title: 'Rule', width: '3fr', cell: ({ rule }) => ruleWords(rule) },
  { title: 'Value', width: '110px', cell: ({ rule, value }) => alertValue(rule.metric, value) },
  { title: 'Opened', width: '110px', cell: ({ opened_at }) => <Time at={opened_at} /> },
];

export function Alerts() {
  const [status, setStatus] = useParam('status', 'open');
  const [monitorId] = useParam('monitor_id');
  const filters: MonitorsListAlertsInput = {
    ...(status === 'all' ? {} : { status: [status as 'open'] }),
    ...(monitorId ? { monitor_id: Number(monitorId) } : {}),
  };
  return (
    <div class="page">
      <div class="head">
        <h1>Alerts</h1>
      </div>
      <div class="bar">
        <Field label="State">
          <select value={status} onChange={({ currentTarget }) => setStatus(currentTarget.value)}>
            <option value="open">open</option>
            <option value="acknowledged">acknowledged</option>
            <option value="resolved">resolved</option>
            <option value="all">any</option>
          </select>
        </Field>
      </div>
      <AlertRows filters={filters} />
    </div>
  );
}

function useMonitorNames(): ReadonlyMap<number, string> {
  const { api } = usePortal();
  const { data } = useQuery({
    queryKey: ['monitor names'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const rows = await api.monitors.list({ limit: 100 }, { signal }).all();
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
  });
  return data ?? NO_NAMES;
}
const NO_NAMES: ReadonlyMap<number, string> = new Map();

export function AlertRows({ filters }: { filters: MonitorsListAlertsInput }) {
  const { api } = usePortal();
  const [opened, setOpened] = useState<MonitorAlert | null>(null);
  return (
    <>
      <Rows<MonitorAlert>
        label="Alerts"
        name={['alerts', filters]}
        columns={columnsOf(useMonitorNames())}
        live="newest"
        load={(offset, limit, signal) => api.monitors.listAlerts({ ...filters, offset, limit }, { signal })}
        open={setOpened}
        empty={<Empty title={filters.status?.includes('open') ? 'No alert is open.' : 'There is no such alert.'} />}
      />
      {opened && <Alert alert={opened} close={() => setOpened(null)} />}
    </>
  );
}

type Source = { source_type: 'REQUEST' | 'WORKFLOW_RUN' | 'AGENT_TASK'; source_id: string };

function Alert({
  alert: { id: alert_id, monitor_id, rule, value, status, run_ids },
  close,
}: {
  alert: MonitorAlert;
  close: () => void;
}) {
  const { api, can } = usePortal();
  const cache = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const [sources, setSources] = useState<Source[] | null>(null);
  const act = (call: Promise<unknown>): void =>
    void call
      .then(() => {
        close();
        return cache.invalidateQueries({ queryKey: ['alerts'] });
      })
      .catch(setError);
  async function judged(): Promise<Source[]> {
    const runs = await Promise.all(run_ids.map((run_id) => api.monitors.getAnyRun({ run_id })));
    return runs.map(({ source_type, source_id }) => ({
      source_type: source_type.toUpperCase() as Source['source_type'],
      source_id,
    }));
  }
  if (sources) return <AddToTestSet sources={sources} close={close} />;
  return (
    <Dialog title="Alert" close={close}>
      <div class="strip">
        <Lamp state={LAMPS[status]} />
        <span>
          <small>Rule</small> <b>{ruleWords(rule)}</b>
        </span>
        <span>
          <small>Value</small> <b>{alertValue(rule.metric, value)}</b>
        </span>
      </div>
      <Failure error={error} />
      <Link href={`/monitors/${monitor_id}?outcome=${rule.metric === 'error_rate' ? 'ERROR' : 'FAULT'}`}>
        The verdicts of the monitor
      </Link>
      {can('write') && (
        <div class="bar">
          {status === 'open' && (
            <button onClick={() => act(api.monitors.acknowledgeAlert({ alert_id }))}>Acknowledge</button>
          )}
          {status !== 'resolved' && (
            <button class="primary" onClick={() => act(api.monitors.resolveAlert({ alert_id }))}>
              Resolve
            </button>
          )}
          <button
            onClick={() => void judged().then(setSources, setError)}
          >{`Add its ${run_ids.length} to a test set`}</button>
        </div>
      )}
    </Dialog>
  );
}
