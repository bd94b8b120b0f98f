import type { Task } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { Fact, Facts } from '../../parts/facts.js';
import { Lamp } from '../../parts/lamp.js';
import { Time } from '../../parts/time.js';
import { count, duration, money } from '../../rules/formats.js';
import { valueWords, versionWords } from '../../rules/origins.js';
import { sessionPath } from '../../rules/session-path.js';
import { whyOf } from '../../rules/why.js';

export function TaskFacts({ task }: { task: Task }) {
  const names = useNames('agents');
  const { agent_id, session_id, parent_task_id, waiting } = task;
  return (
    <>
      <Facts>
        <span>
          <Lamp state={task.status} failureClass={task.failure_class} />
        </span>
        <Fact label="agent">
          <Link href={`/agents/${agent_id}`}>{names.get(agent_id) ?? `agent ${agent_id}`}</Link>
        </Fact>
        <Fact label="version">{versionWords(task)}</Fact>
        {task.release !== null && <Fact label="release">{task.release}</Fact>}
        {task.reported_version !== null && versionWords(task) !== task.reported_version && (
          <Fact label="reported version">{task.reported_version}</Fact>
        )}
        {task.trigger === 'EXTERNAL' && <Fact label="ran">{valueWords(task.trigger)}</Fact>}
        <Fact label="duration">{duration(task.duration_ms)}</Fact>
        <Fact label="cost">{money(task.cost)}</Fact>
        <Fact label="tokens">{count(task.usage.total_tokens)}</Fact>
        <Fact label="started">
          <Time at={task.started_at ?? task.date_created} />
        </Fact>
        <Fact label="session">
          <Link href={sessionPath(task)}>{session_id.slice(0, 12)}</Link>
        </Fact>
        {parent_task_id !== null && (
          <Fact label="started by">
            <Link href={`/runs/task/${parent_task_id}`}>run {parent_task_id.slice(0, 8)}</Link>
          </Fact>
        )}
        {waiting && <Fact label="waits for">{waiting.action_name ?? 'a sub-agent'}</Fact>}
      </Facts>
      {task.status === 'FAILED' && <p class={`why ${task.failure_class === 'quality' ? '' : 'odd'}`}>{whyOf(task)}</p>}
    </>
  );
}
