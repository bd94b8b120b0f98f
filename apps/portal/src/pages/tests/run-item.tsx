import { useState } from 'preact/hooks';
import type { RunItem, RunItemSummary, TestRun } from '@signalbox/sdk';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Failure } from '../../parts/failure.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { Loaded } from '../../parts/loaded.js';
import { answerText, expectedFrom } from '../../rules/verdict.js';
import { CriteriaResults } from './criteria-results.js';

export function RunItemDialog({
  run,
  item: { id: item_id },
  close,
  changed,
}: {
  run: TestRun;
  item: Pick<RunItemSummary, 'id'>;
  close: () => void;
  changed: () => void;
}) {
  const { api } = usePortal();
  return (
    <Dialog title={`Item of run ${run.id}`} close={close}>
      <Loaded
        name={['run item', run.id, item_id, run.scored_at]}
        load={(signal) => api.testRuns.getRunItem({ id: run.id, item_id }, { signal })}
      >
        {(item) => (
          <>
            <Result item={item} />
            <Accept run={run} item={item} close={close} changed={changed} />
            <JsonView label="Sent" value={item.adapted_input} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function Result({ item }: { item: RunItem }) {
  const { outcome, status, failure_class, error_message, source_ref } = item;
  const { agent_task_id: task, workflow_run_id: run } = (source_ref ?? {}) as {
    agent_task_id?: string;
    workflow_run_id?: string;
  };
  return (
    <>
      <div class="strip">
        <Lamp state={outcome ?? status} failureClass={outcome === 'ERROR' ? failure_class : null} />
        {task && <Link href={`/runs/task/${task}`}>Open the run</Link>}
        {run && <Link href={`/runs/workflow/${run}`}>Open the run</Link>}
      </div>
      {error_message && <p class={`why ${outcome === 'ERROR' ? 'odd' : ''}`}>{error_message}</p>}
      <JsonView label="Answer" value={answerText(item.actual_output) ?? '(none)'} />
      <JsonView label="Expected" value={answerText(item.expected_output_used) ?? '(nothing)'} />
      <CriteriaResults runs={[{ title: 'Result', item }]} />
    </>
  );
}

/** «This answer is right»: it becomes the override of the item, and the run is scored again. */
export function Accept({
  run,
  item,
  close,
  changed,
}: {
  run: Pick<TestRun, 'id' | 'test_set_id'>;
  item: RunItem;
  close: () => void;
  changed: () => void;
}) {
  const { api, can, say } = usePortal();
  const [error, setError] = useState<unknown>(null);
  const expected_output = expectedFrom(item.actual_output);
  if (!can('write') || !can('invoke') || item.matched !== false || expected_output === null) return null;
  async function accept(given: NonNullable<typeof expected_output>): Promise<void> {
    const { test_set_id, id } = run;
    await api.testSets.setResponseSub({ test_set_id, item_id: item.test_set_item_id, expected_output: given });
    await api.testRuns.score({ id });
    say('The answer is the expectation now, and the run is scored again.');
    changed();
    close();
  }
  return (
    <>
      <div>
        <button onClick={() => void accept(expected_output).catch(setError)}>This answer is right</button>
      </div>
      <Failure error={error} />
    </>
  );
}
