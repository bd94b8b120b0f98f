import type { AgentsListAllTasksInput, ListedTask, Signalbox } from '@signalbox/sdk';
import { Link, useLocation } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { Lamp } from '../../parts/lamp.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { duration, money, oneLine } from '../../rules/formats.js';
import { valueWords, versionWords } from '../../rules/origins.js';
import { isOpen } from '../../rules/states.js';
import { RUN_ORDERS, TASK_FILTERS } from './families.js';
import { RunList } from './run-list.js';
import { TaskPeek } from './task-peek.js';

const pathOf = ({ id }: { id: string }): string => `/runs/task/${id}`;

const columnsOf = (names: ReadonlyMap<number, string>): Column<ListedTask>[] => [
  {
    title: 'State',
    width: '150px',
    cell: ({ status, failure_class }) => <Lamp state={status} failureClass={failure_class} />,
  },
  {
    title: 'Message',
    width: 'minmax(120px, 3fr)',
    cell: (task) => (
      <Link class="quiet" href={pathOf(task)} tabIndex={-1}>
        {oneLine(task.first_message) || '–'}
      </Link>
    ),
  },
  { title: 'Agent', width: 'minmax(100px, 2fr)', cell: ({ agent_id }) => names.get(agent_id) ?? `agent ${agent_id}` },
  { title: 'Version', width: '80px', isMinor: true, cell: versionWords },
  { title: 'Trigger', width: '80px', isMinor: true, cell: ({ trigger }) => valueWords(trigger) },
  { title: 'Duration', width: '80px', isMinor: true, isNumber: true, cell: ({ duration_ms }) => duration(duration_ms) },
  { title: 'Cost', width: '80px', isMinor: true, isNumber: true, cell: ({ cost }) => money(cost) },
  { title: 'Started', width: '100px', cell: ({ date_created }) => <Time at={date_created} /> },
];

export function TaskRows({
  filters,
  empty = 'Nothing has run yet. Ask the agent, in Try or by the API.',
}: {
  filters: AgentsListAllTasksInput;
  empty?: string;
}) {
  const { api } = usePortal();
  const [, go] = useLocation();
  const names = useNames('agents');
  return (
    <Rows<ListedTask>
      label="Runs"
      name={['tasks', filters]}
      columns={columnsOf(names)}
      live="newest"
      load={(offset, limit, signal) => api.agents.listAllTasks({ ...filters, offset, limit }, { signal })}
      open={(task) => go(pathOf(task))}
      empty={<Empty title={empty} />}
    />
  );
}

/** In a new session, on the version of the task or on the draft. */
export async function runTaskAgain(api: Signalbox, taskId: string, isOnDraft = false): Promise<string> {
  const { agent_id, release, version, ...task } = await api.agents.getAnyTask({ task_id: taskId });
  const pin = release !== null ? { release } : version !== null ? { version } : {};
  const begun = await api.agents.invoke({
    agent_id,
    messages: task.input_messages,
    wait: false,
    ...(isOnDraft ? {} : pin),
  });
  return (begun as unknown as { task_id: string }).task_id;
}

export function TaskList() {
  const { api } = usePortal();
  const names = useNames('agents');
  const external = useNames('externalAgents');
  return (
    <RunList<ListedTask>
      family={{
        label: 'Runs',
        filters: TASK_FILTERS,
        orders: RUN_ORDERS,
        columns: columnsOf(names),
        load: (input, signal) => api.agents.listAllTasks(input, { signal }),
        keyOf: ({ id }) => id,
        pathOf,
        sourceType: 'AGENT_TASK',
        actions: {
          rerun: ({ id }) => runTaskAgain(api, id),
          cancel: ({ agent_id, id }) => api.agents.cancelTask({ agent_id, task_id: id }),
          isOpen: ({ status }) => isOpen(status),
          isElsewhere: ({ agent_id, trigger }) => external.has(agent_id) || trigger === 'EXTERNAL',
        },
        peek: ({ id }) => <TaskPeek id={id} key={id} />,
        empty: 'Nothing has run yet. Ask an agent, from its page or by the API.',
      }}
    />
  );
}
