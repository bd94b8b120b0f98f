import type { ListedMonitorRun } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';

const PAGES = { request: '/runs/request', workflow_run: '/runs/workflow', agent_task: '/runs/task' } as const;

/** Why a verdict was given: each condition with what it met. */
export function Verdict({
  run: { id: run_id },
  close,
  addToTestSet,
}: {
  run: Pick<ListedMonitorRun, 'id'>;
  close: () => void;
  addToTestSet: () => void;
}) {
  const { api, can } = usePortal();
  return (
    <Dialog title="Verdict" close={close}>
      <Loaded name={['monitor run', run_id]} load={(signal) => api.monitors.getAnyRun({ run_id }, { signal })}>
        {({ outcome, failure_class, error_message, source_type, source_id, ...run }) => (
          <>
            <div class="strip">
              <Lamp state={outcome} failureClass={outcome === 'ERROR' ? failure_class : null} />
              <Link href={`${PAGES[source_type]}/${source_id}`}>Open what was judged</Link>
              <Time at={run.date_created} />
            </div>
            {error_message && <p class="why odd">{error_message}</p>}
            {can('write') && (
              <div>
                <button
                  onClick={() => {
                    close();
                    addToTestSet();
                  }}
                >
                  Add to test set
                </button>
              </div>
            )}
            <Table label="Conditions" columns={['Group', 'Condition', 'Was', 'Met']}>
              {run.resolution_trace.flatMap(({ group, conditions }) =>
                conditions.map(({ id, actual, result }) => (
                  <tr key={`${group}/${id}`}>
                    <td>{group}</td>
                    <td>
                      <code>{id}</code>
                    </td>
                    <td>{actual === null ? '–' : JSON.stringify(actual)}</td>
                    <td>{result ? 'yes' : 'no'}</td>
                  </tr>
                )),
              )}
            </Table>
            <JsonView label="What the runner said" value={run.runner_output} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
