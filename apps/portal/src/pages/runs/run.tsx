import { useEffect, useRef, useState } from 'preact/hooks';
import type { Task } from '@signalbox/sdk';
import { useParams } from 'wouter-preact';
import { useFollow } from '../../api/follow.js';
import { usePortal } from '../../api/portal.js';
import { Copy } from '../../parts/copy.js';
import { JsonView } from '../../parts/json-view.js';
import { Loaded } from '../../parts/loaded.js';
import { Messages } from '../../parts/messages.js';
import { useParam } from '../../parts/param.js';
import { Tabs } from '../../parts/tabs.js';
import { Timeline } from '../../parts/timeline/timeline.js';
import { isOpen } from '../../rules/states.js';
import { SameFailures } from './same-failures.js';
import { RunActions } from './run-actions.js';
import { TaskFacts } from './task-facts.js';

const TABS = ['Conversation', 'Timeline', 'JSON'] as const;
type Tab = (typeof TABS)[number];
/** In addition to the events of the stream, for what they do not contain. */
const POLL_MS = 5000;
/** Minimum between reloads: events come in bursts. */
const PAUSE_MS = 500;

const ENDS = ['task.completed', 'task.failed', 'task.cancelled'];
const EVENTS = [
  'task.started',
  'routing.decided',
  'action.started',
  'action.completed',
  'subagent.started',
  'subagent.completed',
  'state.updated',
  'message.delta',
  'task.waiting',
  ...ENDS,
];

export function Run() {
  const { api } = usePortal();
  const { id } = useParams<{ id: string }>();
  return (
    <Loaded
      key={id}
      name={['task', id]}
      load={(signal) => api.agents.getAnyTask({ task_id: id }, { signal })}
      pollMs={(task) => (task && isOpen(task.status) ? POLL_MS : false)}
    >
      {(task, reload) => <RunOf task={task} reload={reload} />}
    </Loaded>
  );
}

/** The text so far, and a number that grows with every event. */
function useLive(task: Task, reload: () => void) {
  const { login } = usePortal();
  const [answer, setAnswer] = useState('');
  const [news, setNews] = useState(0);
  const text = useRef('');
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);

  const scheduleReload = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      setNews((before) => before + 1);
      setAnswer(text.current);
      reload();
    }, PAUSE_MS);
  };
  const stream = `/c/${login.company_id}/api/v1/agents/${task.agent_id}/tasks/${task.id}/stream`;
  const isLost = useFollow(isOpen(task.status) ? stream : null, EVENTS, (type, data) => {
    if (type === 'message.delta') {
      if (text.current === '') requestAnimationFrame(() => setAnswer(text.current));
      text.current += typeof data.content === 'string' ? data.content : '';
    }
    scheduleReload();
  });
  return { answer, news: `${news} ${task.status}`, isLost };
}

function RunOf({ task, reload }: { task: Task; reload: () => void }) {
  const [tab, setTab] = useParam('tab', 'Conversation');
  const { answer, news, isLost } = useLive(task, reload);
  return (
    <div class="page">
      <div class="head">
        <h1>Run</h1>
        <code>{task.id}</code>
        <Copy text={task.id} label="Copy the id" />
        <RunActions task={task} done={reload} />
      </div>
      <div role="status" class="notice">
        {isLost && (
          <p class="why wait">The connection is lost. The run continues, and this page connects again by itself.</p>
        )}
      </div>
      <TaskFacts task={task} />
      {task.status === 'FAILED' && <SameFailures task={task} />}
      <Tabs label="Run" names={TABS} chosen={tab as Tab} choose={setTab}>
        {tab === 'Conversation' && <Conversation task={task} answer={answer} />}
        {tab === 'Timeline' && <Timeline task={task} news={news} />}
        {tab === 'JSON' && <JsonView label="Task" value={task} file={`task-${task.id}.json`} />}
      </Tabs>
    </div>
  );
}

function Conversation({ task, answer }: { task: Task; answer: string }) {
  const partial = answer === '' ? null : { role: 'assistant', content: answer };
  const last = task.output ?? partial;
  const messages = [...task.input_messages, ...(last ? [last] : [])];
  return messages.length === 0 ? <p class="soft">The messages were deleted.</p> : <Messages messages={messages} />;
}
