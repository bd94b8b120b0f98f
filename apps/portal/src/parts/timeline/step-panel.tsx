import type { Task, TimelineEvent } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { count, duration, exact, money } from '../../rules/formats.js';
import { answersOf, askedOf } from '../../rules/request-texts.js';
import type { Step } from '../../rules/timeline.js';
import { Fact, Facts } from '../facts.js';
import { JsonView } from '../json-view.js';
import { Lamp } from '../lamp.js';
import { Loaded } from '../loaded.js';
import { Messages } from '../messages.js';

export function StepPanel({ step, task }: { step: Step; task: Task }) {
  const { api } = usePortal();
  const load = (signal: AbortSignal): Promise<TimelineEvent[]> =>
    Promise.all(
      step.offsets.map(async (offset) => {
        const place = { offset, limit: 1, include_children: true };
        const { data } = await api.agents.listTaskTimeline(
          { agent_id: task.agent_id, task_id: task.id, ...place },
          { signal },
        );
        return data;
      }),
    ).then((pages) => pages.flat());
  return (
    <>
      <Facts>
        {step.state !== null && <Lamp state={step.state} failureClass={step.failureClass} />}
        <Fact label="began">{exact(step.at)}</Fact>
        <Fact label="took">{duration(step.durationMs)}</Fact>
        {step.tokens !== null && <Fact label="tokens">{count(step.tokens)}</Fact>}
        {step.taskId !== task.id && step.taskId !== '' && (
          <Fact label="in">
            <Link href={`/runs/task/${step.taskId}`}>run {step.taskId.slice(0, 8)}</Link>
          </Fact>
        )}
        {step.childTaskId !== null && (
          <Fact label="started">
            <Link href={`/runs/task/${step.childTaskId}`}>run {step.childTaskId.slice(0, 8)}</Link>
          </Fact>
        )}
      </Facts>
      {step.requestId !== null && <ModelCall id={step.requestId} />}
      <Loaded name={['step', task.id, ...step.offsets]} load={load}>
        {(events) => <Texts events={events} isCall={step.requestId !== null} />}
      </Loaded>
    </>
  );
}

function ModelCall({ id }: { id: string }) {
  const { api } = usePortal();
  return (
    <Loaded name={['request', id]} load={(signal) => api.requests.get({ request_id: id }, { signal })}>
      {(request) => (
        <>
          <Facts>
            <Fact label="model">{request.model}</Fact>
            <Fact label="cost">{money(request.usage.cost)}</Fact>
            <Fact label="tokens">
              {count(request.usage.prompt_tokens)} + {count(request.usage.completion_tokens)}
            </Fact>
            <Link href={`/runs/request/${id}`}>Open the request</Link>
          </Facts>
          <details>
            <summary>Prompt ({count(askedOf(request).length)} messages)</summary>
            <Messages messages={askedOf(request)} />
          </details>
          <Messages messages={answersOf(request)} />
        </>
      )}
    </Loaded>
  );
}

function Texts({ events, isCall }: { events: readonly TimelineEvent[]; isCall: boolean }) {
  const given = events.find((event) => event.arguments !== undefined);
  const output = events.find((event) => event.output !== undefined);
  const said = events.find(({ type, content }) => type === 'message' && content != null);
  const error = events.find(({ message }) => message !== undefined);
  return (
    <>
      {error?.message !== undefined && <p class="why odd">{error.message}</p>}
      {said && <Messages messages={[{ role: said.role ?? 'assistant', content: said.content }]} />}
      {given && <JsonView label="Input" value={given.arguments} />}
      {output && <JsonView label="Output" value={output.output} />}
      <details open={!given && !output && !said && !isCall}>
        <summary>Raw</summary>
        <JsonView label="What happened" value={events} />
      </details>
    </>
  );
}
