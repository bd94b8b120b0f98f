import { useState } from 'preact/hooks';
import type { WorkflowRun } from '@signalbox/sdk';
import { Link, useLocation, useParams } from 'wouter-preact';
import { usePortal } from '../api/portal.js';
import { Artifacts } from '../parts/artifacts.js';
import { CancelWorkflowRun } from '../parts/cancel-workflow-run.js';
import { Copy } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Problem } from '../parts/empty.js';
import { Form } from '../parts/form.js';
import { JsonView } from '../parts/json-view.js';
import { Lamp } from '../parts/lamp.js';
import { Loaded } from '../parts/loaded.js';
import { Messages } from '../parts/messages.js';
import { useParam } from '../parts/param.js';
import { RunLog } from '../parts/run-log.js';
import { useRunStream } from '../parts/run-stream.js';
import { type Secret, SecretFields, secretsOf } from '../parts/secret-fields.js';
import { Steps } from '../parts/steps.js';
import { Tabs } from '../parts/tabs.js';
import { Time } from '../parts/time.js';
import { duration, money } from '../rules/formats.js';
import { isOpen } from '../rules/states.js';
import { stepsOf, type TimelineEvent } from '../rules/timeline.js';
import { whyOf } from '../rules/why.js';

const TABS = ['Result', 'Logs', 'Timeline', 'Artifacts', 'JSON'] as const;
type Tab = (typeof TABS)[number];
const LIVE_MS = 1000;

export function WorkflowRunPage() {
  const { api } = usePortal();
  const { id } = useParams<{ id: string }>();
  const [tab, setTab] = useParam('tab', 'Result');
  return (
    <Loaded
      key={id}
      name={['workflow-run', id]}
      load={(signal) => api.workflows.getRun({ run_id: id }, { signal })}
      pollMs={(run) => (run && isOpen(run.status) ? LIVE_MS : false)}
    >
      {(run, reload) => (
        <div class="page">
          <div class="head">
            <h1>Run of a workflow</h1>
            <code>{run.id}</code>
            <Copy text={run.id} label="Copy the id" />
            {isOpen(run.status) ? <CancelWorkflowRun id={run.id} done={reload} /> : <Rerun run={run} />}
          </div>
          <Strip run={run} />
          {(run.status === 'FAILED' || run.status === 'TIMED_OUT') && (
            <p class={`why ${run.failure_class === 'quality' ? '' : 'odd'}`}>{whyOf(run)}</p>
          )}
          <Tabs label="Run" names={TABS} chosen={tab as Tab} choose={setTab}>
            {tab === 'Result' && <Result run={run} />}
            {tab === 'Logs' && <Logs run={run} />}
            {tab === 'Timeline' && <Timeline run={run} />}
            {tab === 'Artifacts' && <Artifacts runId={run.id} state={run.status} empty="It has written no artifact." />}
            {tab === 'JSON' && <JsonView label="Run" value={run} />}
          </Tabs>
        </div>
      )}
    </Loaded>
  );
}

/** The id where the name cannot be read. */
function WorkflowLink({ id }: { id: number }) {
  const { api } = usePortal();
  return (
    <Loaded name={['workflow-name', id]} load={(signal) => api.workflows.get({ workflow_id: id }, { signal })}>
      {({ workflow_name }) => <Link href={`/workflows/${id}`}>{workflow_name}</Link>}
    </Loaded>
  );
}

function Strip({ run }: { run: WorkflowRun }) {
  return (
    <div class="strip">
      <span>
        <Lamp state={run.status} failureClass={run.failure_class} />
      </span>
      <span class="named">
        <small>workflow</small> <WorkflowLink id={run.workflow_id} />
      </span>
      <span>
        <small>version</small> <b>{run.release ?? run.workflow_version ?? 'draft'}</b>
      </span>
      <span>
        <small>duration</small> <b>{duration(run.duration_ms)}</b>
      </span>
      <span>
        <small>cost</small> <b>{money(run.cost)}</b>
      </span>
      <span>
        <small>tokens</small> <b>{run.usage.total_tokens.toLocaleString('en-US')}</b>
      </span>
      <span>
        <small>started</small>{' '}
        <b>
          <Time at={run.started_at ?? run.date_created} />
        </b>
      </span>
      <span>
        <small>by</small> <b>{run.trigger.toLowerCase()}</b>
      </span>
      {run.attempts > 1 && (
        <span>
          <small>attempts</small> <b>{run.attempts}</b>
        </span>
      )}
      {run.parent_run_id !== null && (
        <span>
          <Link href={`/runs/workflow/${run.parent_run_id}`}>Open the run that started it</Link>
        </span>
      )}
    </div>
  );
}

/** Secrets are not stored, so they are asked for again. */
function Rerun({ run }: { run: WorkflowRun }) {
  const { api, can } = usePortal();
  const [, go] = useLocation();
  const [isOpenNow, setIsOpenNow] = useState(false);
  const [secrets, setSecrets] = useState<Secret[]>([]);
  const target = run.release ?? run.workflow_version;
  async function rerun(): Promise<void> {
    const given = secretsOf(secrets);
    const { run_id } = await api.workflows.rerunRun({
      run_id: run.id,
      ...(run.release !== null
        ? { release: run.release }
        : run.workflow_version !== null
          ? { version: run.workflow_version }
          : {}),
      ...(Object.keys(given).length > 0 ? { secrets: given } : {}),
    });
    setIsOpenNow(false);
    go(`/runs/workflow/${run_id}`);
  }
  return (
    <>
      <button aria-disabled={!can('invoke')} onClick={() => can('invoke') && setIsOpenNow(true)}>
        Run again
      </button>
      {isOpenNow && (
        <Dialog title="Run again" close={() => setIsOpenNow(false)}>
          <Form submit={rerun} action="Run it">
            <p>The same input, on {target ?? 'the draft as it is now'}.</p>
            <SecretFields secrets={secrets} change={setSecrets} />
          </Form>
        </Dialog>
      )}
    </>
  );
}

function Result({ run }: { run: WorkflowRun }) {
  const hasOutput = run.status === 'COMPLETED' || run.output !== null;
  return (
    <div class="columns">
      <section class="card" aria-label="What it got">
        {run.messages !== null && run.messages.length > 0 && (
          <>
            <h2>Messages</h2>
            <Messages messages={run.messages} />
          </>
        )}
        {(run.input !== null || run.messages === null) && <JsonView label="Input" value={run.input} />}
        {Object.keys(run.params).length > 0 && <JsonView label="Parameters" value={run.params} />}
      </section>
      <section class="card" aria-label="What it gave">
        {hasOutput ? (
          <JsonView label="Output" value={run.output} />
        ) : (
          <>
            <h2>Output</h2>
            <p class="soft">{isOpen(run.status) ? 'It has not ended yet.' : 'It has ended without an output.'}</p>
          </>
        )}
        {run.transformed_session !== null && <JsonView label="Transformed session" value={run.transformed_session} />}
        {run.transform_error !== null && <p class="error">The session was not transformed: {run.transform_error}</p>}
      </section>
    </div>
  );
}

function Logs({ run }: { run: WorkflowRun }) {
  const { seen, error } = useRunStream(run.id);
  if (error !== null) return <Problem error={error} />;
  if (seen.lines.length > 0) return <RunLog seen={seen} />;
  if (seen.hasEnded) return <p class="soft">It has logged and emitted nothing.</p>;
  return (
    <p class="soft" role="status">
      {run.status === 'QUEUED' ? 'Waiting for a worker …' : 'Nothing logged yet …'}
    </p>
  );
}

function Timeline({ run }: { run: WorkflowRun }) {
  const { api } = usePortal();
  return (
    <Loaded
      name={['workflow-timeline', run.id, run.status]}
      load={async (signal) => {
        const events: TimelineEvent[] = [];
        const list = api.workflows.listRunTimeline({ run_id: run.id, limit: 100, include_children: true }, { signal });
        for await (const { data } of list.pages()) events.push(...(data as unknown as TimelineEvent[]));
        return stepsOf(events);
      }}
      pollMs={isOpen(run.status) ? LIVE_MS : false}
    >
      {(steps) => (steps.length === 0 ? <p class="soft">Nothing has happened yet.</p> : <Steps steps={steps} />)}
    </Loaded>
  );
}
