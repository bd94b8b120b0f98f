import type { AgentSummary, ListedTask, Signalbox } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { count, money, percent } from '../../rules/formats.js';

/** Each agent costs two requests. */
const MOST = 10;

interface Capped {
  agent: AgentSummary;
  cap: number;
  dearest: ListedTask | undefined;
  stopped: number;
}

interface Span {
  start_date: number;
  end_date: number;
}

async function cappedOf(api: Signalbox, ids: readonly number[], span: Span, signal: AbortSignal): Promise<Capped[]> {
  const agents = await api.agents.list({ limit: 100 }, { signal }).all();
  const capped = agents.flatMap((agent) =>
    agent.max_cost !== null && ids.includes(agent.id) ? [{ agent, cap: agent.max_cost }] : [],
  );
  return Promise.all(
    capped.slice(0, MOST).map(async ({ agent, cap }) => {
      const runs = { agent_id: agent.id, ...span, limit: 1 };
      const [dearest, stopped] = await Promise.all([
        api.agents.listAllTasks({ ...runs, sort: '-cost' }, { signal }),
        api.agents.listAllTasks({ ...runs, error_code: ['budget_exceeded'] }, { signal }),
      ]);
      return { agent, cap, dearest: dearest.data[0], stopped: stopped.pagination.total };
    }),
  );
}

export function Caps({ ids, span }: { ids: readonly number[]; span: Span }) {
  const { api } = usePortal();
  return (
    <Loaded name={['caps', ids.join(), span.end_date]} load={(signal) => cappedOf(api, ids, span, signal)}>
      {(capped) =>
        capped.length === 0 ? null : (
          <section class="card" aria-label="Caps">
            <h2>What one answer may cost</h2>
            <Table
              label="Caps of agents"
              columns={['Agent', 'Cap', 'Dearest run', 'Of the cap', 'Stopped by it']}
              numbers={['Cap', 'Dearest run', 'Stopped by it']}
            >
              {capped.map(({ agent, cap, dearest, stopped }) => (
                <tr key={agent.id}>
                  <td>
                    <Link href={`/agents/${agent.id}`}>{agent.agent_name}</Link>
                  </td>
                  <td class="number">{money(cap)}</td>
                  <td class="number">
                    {dearest ? <Link href={`/runs/task/${dearest.id}`}>{money(dearest.cost)}</Link> : '–'}
                  </td>
                  <td>
                    <Share of={agent.agent_name} cost={dearest?.cost ?? null} cap={cap} />
                  </td>
                  <td class="number">
                    {stopped === 0 ? 0 : <Link href={stoppedPath(agent.id, span)}>{count(stopped)}</Link>}
                  </td>
                </tr>
              ))}
            </Table>
          </section>
        )
      }
    </Loaded>
  );
}

function Share({ of, cost, cap }: { of: string; cost: number | null; cap: number }) {
  if (cost === null) return <>–</>;
  const share = cap > 0 ? cost / cap : 1;
  return (
    <div class="progress">
      <progress aria-label={`Dearest run of ${of}, of its cap`} value={Math.min(1, share)} max={1} />
      <span>{percent(share)}</span>
    </div>
  );
}

const stoppedPath = (agent_id: number, { start_date, end_date }: Span): string =>
  `/runs?${new URLSearchParams({
    ...{ agent_id: String(agent_id), error_code: 'budget_exceeded' },
    ...{ start_date: String(start_date), end_date: String(end_date) },
  }).toString()}`;
