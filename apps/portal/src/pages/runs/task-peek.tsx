import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Copy } from '../../parts/copy.js';
import { Loaded } from '../../parts/loaded.js';
import { Messages } from '../../parts/messages.js';
import { isOpen } from '../../rules/states.js';
import { TaskFacts } from './task-facts.js';

const POLL_MS = 2000;

export function TaskPeek({ id }: { id: string }) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['task', id]}
      load={(signal) => api.agents.getAnyTask({ task_id: id }, { signal })}
      pollMs={(task) => (task && isOpen(task.status) ? POLL_MS : false)}
    >
      {(task) => (
        <>
          <div class="bar">
            <Link class="button" href={`/runs/task/${id}`}>
              Open the run
            </Link>
            <Link class="button" href={`/runs/task/${id}?tab=Timeline`}>
              Timeline
            </Link>
            <Copy text={id} label="Copy the id" />
          </div>
          <TaskFacts task={task} />
          <Messages messages={[...task.input_messages, ...(task.output ? [task.output] : [])]} />
        </>
      )}
    </Loaded>
  );
}
