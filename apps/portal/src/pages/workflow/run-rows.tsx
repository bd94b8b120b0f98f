import type { ListedWorkflowRun, WorkflowsListAllRunsInput } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Lamp } from '../../parts/lamp.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { duration, money, oneLine } from '../../rules/formats.js';

const COLUMNS: Column<ListedWorkflowRun>[] = [
  {
    title: 'State',
    width: '160px',
    cell: ({ status, failure_class }) => <Lamp state={status} failureClass={failure_class} />,
  },
  { title: 'Input', width: '3fr', cell: ({ first_message }) => oneLine(first_message) || '–' },
  {
    title: 'Version',
    width: '110px',
    cell: ({ workflow_version, release }) => release ?? workflow_version ?? 'draft',
  },
  { title: 'Trigger', width: '90px', cell: ({ trigger }) => trigger.toLowerCase() },
  { title: 'Duration', width: '90px', isNumber: true, cell: ({ duration_ms }) => duration(duration_ms) },
  { title: 'Cost', width: '90px', isNumber: true, cell: ({ cost }) => money(cost) },
  { title: 'Started', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];

export function RunsOfWorkflow({ filters }: { filters: WorkflowsListAllRunsInput }) {
  const { api } = usePortal();
  const [, go] = useLocation();
  return (
    <Rows<ListedWorkflowRun>
      label="Runs"
      name={['workflow-runs', filters]}
      columns={COLUMNS}
      live="newest"
      load={(offset, limit, signal) => api.workflows.listAllRuns({ ...filters, offset, limit }, { signal })}
      open={({ id }) => go(`/runs/workflow/${id}`)}
      empty={<Empty title="It has not run yet. Run it on «Build», or by the API." />}
    />
  );
}
