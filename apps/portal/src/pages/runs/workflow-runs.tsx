import type { ListedWorkflowRun, Signalbox } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { usePortal } from '../../api/portal.js';
import { Lamp } from '../../parts/lamp.js';
import type { Column } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { duration, money, oneLine } from '../../rules/formats.js';
import { isOpen } from '../../rules/states.js';
import { RUN_ORDERS, WORKFLOW_RUN_FILTERS } from './families.js';
import { RunList } from './run-list.js';
import { WorkflowRunPeek } from './workflow-run-peek.js';

const pathOf = ({ id }: { id: string }): string => `/runs/workflow/${id}`;

const columnsOf = (names: ReadonlyMap<number, string>): Column<ListedWorkflowRun>[] => [
  {
    title: 'State',
    width: '150px',
    cell: ({ status, failure_class }) => <Lamp state={status} failureClass={failure_class} />,
  },
  {
    title: 'Input',
    width: 'minmax(120px, 3fr)',
    cell: (run) => (
      <Link class="quiet" href={pathOf(run)} tabIndex={-1}>
        {oneLine(run.first_message) || '–'}
      </Link>
    ),
  },
  {
    title: 'Workflow',
    width: 'minmax(80px, 1fr)',
    cell: ({ workflow_id }) => names.get(workflow_id) ?? `workflow ${workflow_id}`,
  },
  {
    title: 'Version',
    width: '90px',
    isMinor: true,
    cell: ({ workflow_version, release }) => release ?? workflow_version ?? 'draft',
  },
  { title: 'Trigger', width: '80px', isMinor: true, cell: ({ trigger }) => trigger.toLowerCase() },
  { title: 'Duration', width: '80px', isMinor: true, isNumber: true, cell: ({ duration_ms }) => duration(duration_ms) },
  { title: 'Cost', width: '80px', isMinor: true, isNumber: true, cell: ({ cost }) => money(cost) },
  { title: 'Started', width: '100px', cell: ({ date_created }) => <Time at={date_created} /> },
];

async function runAgain(api: Signalbox, runId: string): Promise<unknown> {
  const run = await api.workflows.getRun({ run_id: runId });
  const { release, workflow_version: version, messages } = run;
  const pin = release !== null ? { release } : version !== null ? { version } : {};
  return api.workflows.execute({
    workflow_id: run.workflow_id,
    mode: 'async',
    input: run.input,
    params: run.params,
    ...(messages === null ? {} : { messages }),
    ...pin,
  });
}

export function WorkflowRunRows() {
  const { api } = usePortal();
  const names = useNames('workflows');
  return (
    <RunList<ListedWorkflowRun>
      family={{
        label: 'Workflow runs',
        filters: WORKFLOW_RUN_FILTERS,
        orders: RUN_ORDERS,
        columns: columnsOf(names),
        load: (input, signal) => api.workflows.listAllRuns(input, { signal }),
        keyOf: ({ id }) => id,
        pathOf,
        sourceType: 'WORKFLOW_RUN',
        actions: {
          rerun: ({ id }) => runAgain(api, id),
          cancel: ({ id }) => api.workflows.cancelRun({ run_id: id }),
          isOpen: ({ status }) => isOpen(status),
        },
        peek: (run) => <WorkflowRunPeek id={run.id} key={run.id} />,
        empty: 'No workflow has run yet. Execute one from its page or by the API.',
      }}
    />
  );
}
