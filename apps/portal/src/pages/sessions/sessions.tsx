import type { ChatSession } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { FilterBar } from '../../parts/filters/filter-bar.js';
import { Field } from '../../parts/form.js';
import { useParam, useQueryParams } from '../../parts/param.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Tabs } from '../../parts/tabs.js';
import { Time } from '../../parts/time.js';
import { type Filter, inputOf, setFilters } from '../../rules/filters.js';
import { count, money } from '../../rules/formats.js';
import { sessionPath } from '../../rules/session-path.js';
import { AgentSessionRows } from './agent-sessions.js';
import { feedbackCell, keyOf, nameCell } from './cells.js';

const TABS = ['Chat', 'Agents'] as const;
type Tab = (typeof TABS)[number];

const FILTERS: Filter[] = [
  { name: 'search', label: 'Session', kind: 'text', isMain: true },
  { name: 'application_id', label: 'Application', kind: 'names', of: 'applications', isMain: true },
  { name: 'has_feedback', label: 'Feedback', kind: 'choice', values: ['true', 'false'], isMain: true },
  { name: 'has_fault', label: 'Fault', kind: 'choice', values: ['true', 'false'], isMain: true },
  { name: 'intent_id', label: 'Intent id', kind: 'number' },
];
const ORDERS = [
  ['-id', 'newest'],
  ['id', 'oldest'],
] as const;

const CHAT: Column<ChatSession>[] = [
  { title: 'Session', width: 'minmax(140px, 2fr)', cell: nameCell },
  { title: 'Application', width: 'minmax(80px, 1fr)', cell: ({ application_name }) => application_name ?? '–' },
  { title: 'Feedback', width: 'minmax(80px, 1fr)', cell: feedbackCell },
  { title: 'Requests', width: '80px', isNumber: true, cell: ({ request_count }) => count(request_count) },
  { title: 'Faults', width: '60px', isNumber: true, cell: ({ fault_count }) => count(fault_count) },
  { title: 'Tokens', width: '80px', isNumber: true, cell: ({ total_tokens }) => count(total_tokens) },
  { title: 'Cost', width: '80px', isNumber: true, cell: ({ cost }) => money(cost) },
  { title: 'Last', width: '100px', cell: ({ last_request_at }) => <Time at={last_request_at} /> },
];
export function Sessions() {
  const [tab, setTab] = useParam('kind', 'Chat');
  return (
    <div class="page">
      <div class="head">
        <h1>Sessions</h1>
      </div>
      <Tabs
        label="Kinds of sessions"
        names={TABS}
        chosen={tab === 'Agents' ? 'Agents' : 'Chat'}
        choose={(name: Tab) => setTab(name)}
      >
        {tab === 'Agents' ? <AgentSessions /> : <ChatSessions />}
      </Tabs>
    </div>
  );
}

function ChatSessions() {
  const { api } = usePortal();
  const [, go] = useLocation();
  const [params, change] = useQueryParams();
  const given = setFilters(FILTERS, params);
  const sort = params.get('sort') ?? '-id';
  const named = [...given, 'sort'].map((name) => `${name}=${params.get(name) ?? ''}`).join('&');
  return (
    <>
      <FilterBar filters={FILTERS} orders={ORDERS} />
      <Rows<ChatSession>
        label="Sessions"
        name={['sessions', named]}
        columns={CHAT}
        live={sort === '-id' ? 'newest' : 'any'}
        keyOf={keyOf}
        load={(offset, limit, signal) =>
          api.sessions.list({ ...inputOf(FILTERS, params, Date.now()), sort, offset, limit }, { signal })
        }
        open={(session) => go(sessionPath(session))}
        empty={
          given.length > 0 ? (
            <Empty title="No session matches these filters.">
              <button onClick={() => change(Object.fromEntries(given.map((name) => [name, ''])))}>Clear filters</button>
            </Empty>
          ) : (
            <Empty title="No chat completion has named a session yet: send `session_id` with it." />
          )
        }
      />
    </>
  );
}

function AgentSessions() {
  const names = useNames('agents');
  const [chosen, choose] = useParam('agent_id');
  const agentId = Number(chosen) || ([...names.keys()][0] ?? null);
  if (agentId === null) return <Empty title="There is no agent yet." />;
  return (
    <>
      <div class="bar">
        <Field label="Agent">
          <select value={String(agentId)} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {!names.has(agentId) && <option value={agentId}>agent {agentId}</option>}
            {[...names].map(([id, name]) => (
              <option value={String(id)} key={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <AgentSessionRows agentId={agentId} />
    </>
  );
}
