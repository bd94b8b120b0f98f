import type { Task } from '@signalbox/sdk';
import { useParams } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { Copy } from '../parts/copy.js';
import { JsonView } from '../parts/json-view.js';
import { Lamp } from '../parts/lamp.js';
import { Loaded } from '../parts/loaded.js';
import { Messages } from '../parts/messages.js';
import { useParam } from '../parts/param.js';
import { Steps } from '../parts/steps.js';
import { Tabs } from '../parts/tabs.js';
import { Time } from '../parts/time.js';
import { duration, money } from '../rules/formats.js';
import { isOpen } from '../rules/states.js';
import { stepsOf, type TimelineEvent } from '../rules/timeline.js';
import { whyOf } from '../rules/why.js';
import { AgentLink } from './agent.js';

const TABS = ['Conversation', 'Timeline', 'JSON'] as const;
type Tab = (typeof TABS)[number];
const LIVE_MS = 1000;

/** What one task did, why it ended as it did, and what it cost. */
export function Run() {
  const { api } = usePortal();
  const { id } = useParams<{ id: string }>();
  const [tab, setTab] = useParam('tab', 'Conversation');
  return (
    <Loaded
      name={['task', id]}
      load={(signal) => api.agents.getAnyTask({ task_id: id }, { signal })}
      pollMs={(task) => (task && isOpen(task.status) ? LIVE_MS : false)}
    >
      {(task, reload) => (
        <div class="page">
          <div class="head">
            <h1>Run</h1>
            <code>{task.id}</code>
            <Copy text={task.id} label="Copy the id" />
            {isOpen(task.status) && <Cancel task={task} done={reload} />}
          </div>
          <Strip task={task} />
          {task.status === 'FAILED' && (
            <p class={`why ${task.failure_class === 'quality' ? '' : 'odd'}`}>{whyOf(task)}</p>
          )}
          <Tabs label="Run" names={TABS} chosen={tab as Tab} choose={setTab}>
            {tab === 'Conversation' && <Conversation task={task} />}
            {tab === 'Timeline' && <Timeline task={task} />}
            {tab === 'JSON' && <JsonView label="Task" value={task} />}
          </Tabs>
        </div>
      )}
    </Loaded>
  );
}

function Strip({ task }: { task: Task }) {
  return (
    <div class="strip">
      <span>
        <Lamp state={task.status} failureClass={task.failure_class} />
      </span>
      <span>
        <small>agent</small> <AgentLink id={task.agent_id} />
      </span>
      <span>
        <small>version</small> <b>{task.release ?? task.version ?? 'draft'}</b>
      </span>
      <span>
        <small>duration</small> <b>{duration(task.duration_ms)}</b>
      </span>
      <span>
        <small>cost</small> <b>{money(task.cost)}</b>
      </span>
      <span>
        <small>tokens</small> <b>{task.usage.total_tokens.toLocaleString('en-US')}</b>
      </span>
      <span>
        <small>started</small>{' '}
        <b>
          <Time at={task.started_at ?? task.date_created} />
        </b>
      </span>
      {task.waiting && (
        <span>
          <small>waits for</small> <b>{task.waiting.action_name ?? 'a sub-agent'}</b>
        </span>
      )}
    </div>
  );
}

function Cancel({ task, done }: { task: Task; done: () => void }) {
  const { api, can } = usePortal();
  const cancel = (): void => void api.agents.cancelTask({ agent_id: task.agent_id, task_id: task.id }).finally(done);
  return (
    <button class="danger" aria-disabled={!can('invoke')} onClick={() => can('invoke') && cancel()}>
      Cancel
    </button>
  );
}

function Conversation({ task }: { task: Task }) {
  const messages = [...task.input_messages, ...(task.output ? [task.output] : [])];
  return messages.length === 0 ? <p class="soft">The messages were deleted.</p> : <Messages messages={messages} />;
}

function Timeline({ task }: { task: Task }) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['timeline', task.id, task.status]}
      load={async (signal) => {
        const events: TimelineEvent[] = [];
        const list = api.agents.listTaskTimeline(
          { agent_id: task.agent_id, task_id: task.id, limit: 100, include_children: true },
          { signal },
        );
        for await (const { data } of list.pages()) events.push(...(data as unknown as TimelineEvent[]));
        return stepsOf(events);
      }}
      pollMs={isOpen(task.status) ? LIVE_MS : false}
    >
      {(steps) => <Steps steps={steps} />}
    </Loaded>
  );
}
