import { Link } from 'wouter-preact';
import { useNames } from '../../api/names.js';
import { usePortal } from '../../api/portal.js';
import { Copy } from '../../parts/copy.js';
import { Fact, Facts } from '../../parts/facts.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { Messages } from '../../parts/messages.js';
import { Time } from '../../parts/time.js';
import { duration, money } from '../../rules/formats.js';
import { whyOf } from '../../rules/why.js';

export function WorkflowRunPeek({ id }: { id: string }) {
  const { api } = usePortal();
  const names = useNames('workflows');
  return (
    <Loaded name={['workflow run', id]} load={(signal) => api.workflows.getRun({ run_id: id }, { signal })}>
      {(run) => (
        <>
          <div class="bar">
            <Link class="button" href={`/runs/workflow/${id}`}>
              Open the run
            </Link>
            <Copy text={id} label="Copy the id" />
          </div>
          <Facts>
            <span>
              <Lamp state={run.status} failureClass={run.failure_class} />
            </span>
            <Fact label="workflow">{names.get(run.workflow_id) ?? run.workflow_id}</Fact>
            <Fact label="version">{run.release ?? run.workflow_version ?? 'draft'}</Fact>
            <Fact label="duration">{duration(run.duration_ms)}</Fact>
            <Fact label="cost">{money(run.cost)}</Fact>
            <Fact label="started">
              <Time at={run.started_at ?? run.date_created} />
            </Fact>
          </Facts>
          {['FAILED', 'TIMED_OUT'].includes(run.status) && <p class="why odd">{whyOf(run)}</p>}
          {run.messages && run.messages.length > 0 && <Messages messages={run.messages} />}
          {run.input !== null && <JsonView label="Input" value={run.input} />}
          {run.output !== null && <JsonView label="Output" value={run.output} />}
        </>
      )}
    </Loaded>
  );
}
