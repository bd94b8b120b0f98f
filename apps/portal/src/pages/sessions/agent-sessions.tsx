import type { AgentSession } from '@signalbox/sdk';
import { useLocation } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Empty } from '../../parts/empty.js';
import { type Column, Rows } from '../../parts/rows.js';
import { Time } from '../../parts/time.js';
import { count } from '../../rules/formats.js';
import { sessionPath } from '../../rules/session-path.js';
import { feedbackCell, keyOf, nameCell } from './cells.js';

const COLUMNS: Column<AgentSession>[] = [
  { title: 'Session', width: 'minmax(140px, 2fr)', cell: nameCell },
  { title: 'Feedback', width: 'minmax(80px, 1fr)', cell: feedbackCell },
  { title: 'Runs', width: '80px', isNumber: true, cell: ({ task_count }) => count(task_count) },
  { title: 'Last', width: '100px', cell: ({ last_activity }) => <Time at={last_activity} /> },
];

export function AgentSessionRows({ agentId }: { agentId: number }) {
  const { api } = usePortal();
  const [, go] = useLocation();
  return (
    <Rows<AgentSession>
      label="Sessions"
      name={['agent sessions', agentId]}
      columns={COLUMNS}
      live="newest"
      keyOf={keyOf}
      load={(offset, limit, signal) => api.agents.listSessions({ agent_id: agentId, offset, limit }, { signal })}
      open={(session) => go(sessionPath(session))}
      empty={<Empty title="This agent has no session yet." />}
    />
  );
}
