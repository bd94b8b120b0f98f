import { useState } from 'preact/hooks';
import type { ListedMonitorRun, MonitorConfig } from '@signalbox/sdk';
import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Failure } from '../../parts/failure.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Time } from '../../parts/time.js';
import { money } from '../../rules/formats.js';
import { Reason } from './reason.js';

const PAGES = { request: '/runs/request', workflow_run: '/runs/workflow', agent_task: '/runs/task' } as const;

function useConfig(monitor_id: number, version: string): MonitorConfig | null {
  const { api } = usePortal();
  const { data } = useQuery({
    queryKey: ['monitor version', monitor_id, version],
    queryFn: ({ signal }) => api.monitors.getVersion({ monitor_id, version }, { signal }),
    // A version never changes.
    staleTime: Infinity,
  });
  return (data?.snapshot as { config?: MonitorConfig } | undefined)?.config ?? null;
}

export function Verdict({
  run: { id: run_id, monitor_id, version_number },
  addToTestSet,
}: {
  run: Pick<ListedMonitorRun, 'id' | 'monitor_id' | 'version_number'>;
  addToTestSet: () => void;
}) {
  const { api, can } = usePortal();
  const config = useConfig(monitor_id, version_number);
  const [error, setError] = useState<unknown>(null);
  return (
    <Loaded name={['monitor run', run_id]} load={(signal) => api.monitors.getAnyRun({ run_id }, { signal })}>
      {({ outcome, failure_class, error_message, source_type, source_id, ...run }, reload) => (
        <>
          <div class="strip">
            <Lamp state={outcome} failureClass={outcome === 'ERROR' ? failure_class : null} />
            <Link href={`${PAGES[source_type]}/${source_id}`}>Open what was judged</Link>
            <span>
              <small>Version</small> <b>{run.version_number}</b>
            </span>
            <span>
              <small>Cost</small> <b>{money(run.cost)}</b>
            </span>
            <Time at={run.date_created} />
          </div>
          {error_message && <p class="why odd">{error_message}</p>}
          <Reason config={config} trace={run.resolution_trace} />
          <div class="bar">
            {can('write') && <button onClick={addToTestSet}>Add to test set</button>}
            {can('invoke') && outcome === 'ERROR' && (
              <button onClick={() => void api.monitors.retryRun({ monitor_id, run_id }).then(reload).catch(setError)}>
                Judge it again
              </button>
            )}
          </div>
          <Failure error={error} />
          <JsonView label="What the runner said" value={run.runner_output} />
        </>
      )}
    </Loaded>
  );
}
