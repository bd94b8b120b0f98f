import { useState } from 'preact/hooks';
import type { ListedTask } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { OneFilter } from '../../parts/filters/filter-bar.js';
import { useQueryParams } from '../../parts/param.js';
import { Question } from '../../parts/question.js';
import { type Column, Rows } from '../../parts/rows.js';
import { SidePanel } from '../../parts/side-panel.js';
import { Time } from '../../parts/time.js';
import { deadlineWords } from '../../rules/deadline.js';
import { exact, oneLine } from '../../rules/formats.js';
import type { Filter } from '../../rules/filters.js';
import { TaskPeek } from '../runs/task-peek.js';

const AGENT: Filter = { name: 'agent_id', label: 'Agent', kind: 'names', of: 'agents' };

const columnsOf = (agents: ReadonlyMap<number, string>): Column<ListedTask>[] => [
  { title: 'Waits for', width: '2fr', cell: ({ waiting }) => waiting?.action_name ?? 'a sub-agent' },
  { title: 'Agent', width: '1fr', cell: ({ agent_id }) => agents.get(agent_id) ?? `agent ${agent_id}` },
  { title: 'Asked', width: '3fr', isMinor: true, cell: ({ first_message }) => oneLine(first_message) || '–' },
  { title: 'Since', width: '110px', cell: ({ date_created }) => <Time at={date_created} /> },
  {
    title: 'Deadline',
    width: '140px',
    cell: ({ waiting }) => {
      const at = waiting?.hook_expires_at;
      return at == null ? '–' : <span title={exact(at)}>{deadlineWords(at, Date.now())}</span>;
    },
  },
];

export function Approvals() {
  const { api, can, say } = usePortal();
  const [, go] = useLocation();
  const cache = useQueryClient();
  const [params, change] = useQueryParams();
  const [peeked, setPeeked] = useState<ListedTask | null>(null);
  const [cancelled, setCancelled] = useState<ListedTask | null>(null);
  const agents = useNames('agents');
  const agent = params.get('agent_id') ?? '';
  const filters = { status: ['WAITING_WEBHOOK' as const], ...(agent ? { agent_id: Number(agent) } : {}) };
  async function cancel({ agent_id, id: task_id }: ListedTask): Promise<void> {
    await api.agents.cancelTask({ agent_id, task_id });
    say('The run is cancelled. A late answer is refused.');
    setPeeked(null);
    await cache.invalidateQueries({ queryKey: ['approvals'] });
  }
  return (
    <div class="page">
      <div class="head">
        <h1>Approvals</h1>
      </div>
      <p class="soft">
        Such a run has called a system of yours and given it a one-use address. It goes on when that address is called,
        with a yes or a no; only a hash of the address is kept here, so nobody else can answer in its place.
      </p>
      <div class="bar">
        <OneFilter filter={AGENT} value={agent} set={(value) => change({ agent_id: value })} />
      </div>
      <div class={`split ${peeked === null ? '' : 'open'}`}>
        <Rows<ListedTask>
          label="Approvals"
          name={['approvals', filters]}
          columns={columnsOf(agents)}
          live="any"
          load={(offset, limit, signal) => api.agents.listAllTasks({ ...filters, offset, limit }, { signal })}
          keyOf={({ id }) => id}
          open={({ id }) => go(`/runs/task/${id}`)}
          peek={{ isOpen: peeked !== null, show: setPeeked }}
          empty={
            agent ? (
              <Empty title="No run of this agent waits.">
                <button onClick={() => change({ agent_id: '' })}>Clear the filter</button>
              </Empty>
            ) : (
              <Empty title="Nothing waits for an approval.">
                <p class="soft">An agent asks for one by a webhook action in the mode «callback».</p>
              </Empty>
            )
          }
        />
        {peeked !== null && (
          <SidePanel title={peeked.waiting?.action_name ?? 'Run'} close={() => setPeeked(null)}>
            <div class="bar">
              <button
                class="danger"
                aria-disabled={!can('invoke')}
                onClick={() => can('invoke') && setCancelled(peeked)}
              >
                Cancel the run
              </button>
            </div>
            <TaskPeek id={peeked.id} key={peeked.id} />
          </SidePanel>
        )}
      </div>
      {cancelled !== null && (
        <Question
          title="Cancel this run?"
          action="Cancel the run"
          act={() => cancel(cancelled)}
          close={() => setCancelled(null)}
        >
          <p>It stops waiting, and an answer that comes later is refused.</p>
        </Question>
      )}
    </div>
  );
}
