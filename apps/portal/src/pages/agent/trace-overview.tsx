import type { Agent } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Copy } from '../../parts/copy.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { count } from '../../rules/formats.js';
import { traceAddress, traceSettings } from '../../rules/trace-settings.js';

const POLL_MS = 5000;
const LISTED = 100;

export function TraceOverview({ agent }: { agent: Agent }) {
  return (
    <>
      <Arrivals id={agent.id} />
      <Traces agent={agent} />
      <Watching id={agent.id} />
    </>
  );
}

function Arrivals({ id }: { id: number }) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['tasks', 'last', id]}
      load={(signal) => api.agents.listAllTasks({ agent_id: id, limit: 1 }, { signal })}
      pollMs={POLL_MS}
    >
      {({ data: [last], pagination: { total } }) => (
        <div class="strip" role="status">
          {last === undefined ? (
            <span class="named">No trace has arrived yet. This page says so when the first one does.</span>
          ) : (
            <>
              <span>
                <small>runs</small> <Link href={`/agents/${id}?tab=Runs`}>{count(total)}</Link>
              </span>
              <span>
                <small>last</small> <Link href={`/runs/task/${last.id}`}>{last.id.slice(0, 8)}</Link>{' '}
                <Time at={last.started_at ?? last.date_created} />
              </span>
              <span>
                <Lamp state={last.status} failureClass={last.failure_class} />
              </span>
            </>
          )}
        </div>
      )}
    </Loaded>
  );
}

function Traces({ agent }: { agent: Agent }) {
  const settings = traceSettings(agent, location.origin);
  return (
    <section class="card" aria-label="Where its traces arrive">
      <h2>Where its traces arrive</h2>
      <p>
        Exporters of OpenTelemetry send to <code>{traceAddress(location.origin)}/v1/traces</code>, with a{' '}
        <Link href="/settings/keys">key of the scope ingest</Link>.
      </p>
      <pre class="json" tabIndex={0} aria-label="Settings of the exporter">
        {settings}
      </pre>
      <div>
        <Copy text={settings} label="Copy the settings" />
      </div>
      <p class="soft">
        An agent is found by <code>gen_ai.agent.name</code> of its spans, else by the name of the service. The version
        and the environment of the deployment become versions and names of releases here.
      </p>
    </section>
  );
}

function Watching({ id }: { id: number }) {
  const { api } = usePortal();
  const load = async (signal: AbortSignal) => {
    const listed = await api.monitors.list({ target_type: ['agent'], limit: LISTED }, { signal }).all();
    const monitors = await Promise.all(listed.map((each) => api.monitors.get({ monitor_id: each.id }, { signal })));
    return monitors.filter(({ targets = [] }) =>
      targets.some(({ target_type, target_id }) => target_type === 'agent' && target_id === id),
    );
  };
  return (
    <section class="card" aria-label="Monitors">
      <div class="head">
        <h2>Monitors</h2>
        <Link class="button" href="/monitors">
          All monitors
        </Link>
      </div>
      <Loaded name={['monitors', 'agent', id]} load={load}>
        {(monitors) =>
          monitors.length === 0 ? (
            <p class="soft">No monitor judges its runs.</p>
          ) : (
            <Table label="Monitors of the agent" columns={['Monitor', 'State', 'Last verdict']}>
              {monitors.map(({ id: monitorId, name, status, last_run_at }) => (
                <tr key={monitorId}>
                  <td>
                    <Link href={`/monitors/${monitorId}`}>{name}</Link>
                  </td>
                  <td>
                    <Lamp state={status} />
                  </td>
                  <td>
                    <Time at={last_run_at} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </section>
  );
}
