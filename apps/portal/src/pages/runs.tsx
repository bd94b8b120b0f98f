import type { AgentsListAllTasksInput, ListedTask } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { Empty } from '../parts/empty.js';
import { Field } from '../parts/form.js';
import { Lamp } from '../parts/lamp.js';
import { useParam } from '../parts/param.js';
import { type Column, Rows } from '../parts/rows.js';
import { Time } from '../parts/time.js';
import { duration, money, oneLine } from '../rules/formats.js';

const COLUMNS: Column<ListedTask>[] = [
  {
    title: 'State',
    width: '160px',
    cell: ({ status, failure_class }) => <Lamp state={status} failureClass={failure_class} />,
  },
  { title: 'Message', width: '3fr', cell: ({ first_message }) => oneLine(first_message) || '–' },
  { title: 'Agent', width: '80px', cell: ({ agent_id }) => agent_id },
  { title: 'Version', width: '110px', cell: ({ version, release }) => release ?? version ?? 'draft' },
  { title: 'Trigger', width: '100px', cell: ({ trigger }) => trigger.toLowerCase().replace('_', ' ') },
  { title: 'Duration', width: '90px', isNumber: true, cell: ({ duration_ms }) => duration(duration_ms) },
  { title: 'Cost', width: '90px', isNumber: true, cell: ({ cost }) => money(cost) },
  { title: 'Started', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
];

/** Tasks by their filters, newest first. */
export function TaskRows({ filters }: { filters: AgentsListAllTasksInput }) {
  const { api } = usePortal();
  const [, go] = useLocation();
  const isFiltered = Object.keys(filters).some((name) => name !== 'agent_id' && name !== 'sort');
  return (
    <Rows<ListedTask>
      label="Runs"
      name={['tasks', filters]}
      columns={COLUMNS}
      pollMs={5000}
      load={(offset, limit, signal) => api.agents.listAllTasks({ ...filters, offset, limit }, { signal })}
      open={({ id }) => go(`/runs/task/${id}`)}
      empty={
        isFiltered ? (
          <Empty title="No run matches these filters." />
        ) : (
          <Empty title="Nothing has run yet. Ask an agent, from its page or by the API." />
        )
      }
    />
  );
}

const STATES = ['QUEUED', 'RUNNING', 'WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'CANCELLED'];
const CLASSES = ['quality', 'provider', 'timeout', 'sandbox', 'adapter', 'judge', 'internal'];

/** Everything that agents did. The filters are those of the API, and live in the address. */
export function Runs() {
  const [status, setStatus] = useParam('status');
  const [failureClass, setFailureClass] = useParam('failure_class');
  const [text, setText] = useParam('text');
  const [sort, setSort] = useParam('sort', '-id');
  const filters = {
    ...(status ? { status: [status as 'FAILED'] } : {}),
    ...(failureClass ? { failure_class: [failureClass as 'quality'] } : {}),
    ...(text ? { text } : {}),
    ...(sort === '-id' ? {} : { sort }),
  };
  const option = (value: string) => (
    <option value={value} key={value}>
      {value.toLowerCase().replace('_', ' ')}
    </option>
  );
  return (
    <div class="page">
      <div class="head">
        <h1>Runs</h1>
      </div>
      <div class="bar">
        <Field label="Text in messages and answers">
          <input type="search" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
        </Field>
        <Field label="State">
          <select value={status} onChange={({ currentTarget }) => setStatus(currentTarget.value)}>
            <option value="">any</option>
            {STATES.map(option)}
          </select>
        </Field>
        <Field label="Failure">
          <select value={failureClass} onChange={({ currentTarget }) => setFailureClass(currentTarget.value)}>
            <option value="">any</option>
            {CLASSES.map(option)}
          </select>
        </Field>
        <Field label="Order">
          <select value={sort} onChange={({ currentTarget }) => setSort(currentTarget.value)}>
            <option value="-id">newest</option>
            <option value="-duration_ms">slowest</option>
            <option value="-cost">dearest</option>
          </select>
        </Field>
      </div>
      <TaskRows filters={filters} />
    </div>
  );
}
