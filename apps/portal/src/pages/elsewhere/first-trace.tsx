import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Time } from '../../parts/time.js';

const POLL_MS = 2000;

export function FirstTrace() {
  const { api } = usePortal();
  /** A run newer than this is the awaited one. */
  const before = useRef<string | undefined>(undefined);
  const load = async (signal: AbortSignal) => {
    const { data } = await api.agents.listAllTasks({ trigger: ['EXTERNAL'], limit: 1 }, { signal });
    const [task] = data;
    before.current ??= task?.id ?? '';
    return task ? { task, agent: await api.agents.get({ agent_id: task.agent_id }, { signal }) } : null;
  };
  return (
    <Loaded name={['tasks', 'newest trace']} load={load} pollMs={POLL_MS}>
      {(found) => (
        <div class="strip" role="status">
          {found === null ? (
            <span class="named">Waiting for the first trace. This page says so when it arrives.</span>
          ) : (
            <>
              <Lamp state={found.task.status} failureClass={found.task.failure_class} />
              <b>{found.task.id !== before.current ? 'A trace has arrived' : 'The last trace'}</b>
              <span>
                <small>agent</small> <Link href={`/agents/${found.agent.id}`}>{found.agent.agent_name}</Link>
              </span>
              <span>
                <small>run</small> <Link href={`/runs/task/${found.task.id}`}>{found.task.id.slice(0, 8)}</Link>
              </span>
              <Time at={found.task.date_created} />
            </>
          )}
        </div>
      )}
    </Loaded>
  );
}
