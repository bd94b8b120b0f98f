import { useState } from 'preact/hooks';
import type { Task } from '@signalbox/sdk';
import { Link, useLocation } from 'wouter-preact';
import { useIsElsewhere } from '../../api/elsewhere.js';
import { usePortal } from '../../api/portal.js';
import { AddFailed } from '../../parts/add-failed.js';
import { AddToTestSet } from '../../parts/add-to-test-set.js';
import { Field } from '../../parts/form.js';
import { Question } from '../../parts/question.js';
import { isOpen } from '../../rules/states.js';
import { runTaskAgain } from './tasks.js';

export function RunActions({ task, done }: { task: Task; done: () => void }) {
  const { api, can, say } = usePortal();
  const [, go] = useLocation();
  const [asked, setAsked] = useState<'add' | 'cancel' | 'rerun' | null>(null);
  const close = (): void => setAsked(null);
  const ask = (what: typeof asked, scope: string) => ({
    'aria-disabled': !can(scope),
    onClick: () => can(scope) && setAsked(what),
  });
  const isElsewhere = useIsElsewhere(task);
  const pinned = task.release ?? task.version;
  async function rerun({ on = 'same' }: Record<string, string>): Promise<void> {
    const id = await runTaskAgain(api, task.id, on === 'draft');
    say('Run again: this is the new run.');
    go(`/runs/task/${id}`);
  }
  async function cancel(): Promise<void> {
    await api.agents.cancelTask({ agent_id: task.agent_id, task_id: task.id });
    done();
  }
  return (
    <>
      {!isElsewhere && isOpen(task.status) && (
        <button class="danger" {...ask('cancel', 'invoke')}>
          Cancel
        </button>
      )}
      {isElsewhere ? (
        <span class="soft">It ran elsewhere: it cannot be run again from here.</span>
      ) : (
        <button {...ask('rerun', 'invoke')}>Run again</button>
      )}
      {(task.status === 'COMPLETED' || task.status === 'FAILED') && task.parent_task_id === null && (
        <button {...ask('add', 'write')}>Add to test set</button>
      )}
      {!isElsewhere && (
        <Link class="button" href={`/agents/${task.agent_id}?task=${task.id}`}>
          Open in Try
        </Link>
      )}
      {asked === 'add' && task.status === 'FAILED' && <AddFailed task={task} close={close} />}
      {asked === 'add' && task.status === 'COMPLETED' && (
        <AddToTestSet sources={[{ source_type: 'AGENT_TASK', source_id: task.id }]} close={close} />
      )}
      {asked === 'cancel' && (
        <Question title="Cancel this run?" action="Cancel the run" act={cancel} close={close}>
          <p>What it has done stays. It cannot be taken back.</p>
        </Question>
      )}
      {asked === 'rerun' && (
        <Question title="Run this again?" action="Run again" act={rerun} close={close}>
          <Field label="On" hint="A new session, the same messages. Secrets are not known any more.">
            <select name="on" autofocus>
              {pinned !== null && <option value="same">{pinned}, as it ran</option>}
              <option value="draft">the draft</option>
            </select>
          </Field>
        </Question>
      )}
    </>
  );
}
