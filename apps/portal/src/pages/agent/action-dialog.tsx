import { useState } from 'preact/hooks';
import type { ActionTest, AgentAction, AgentsUpdateActionInput } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { JsonView } from '../../parts/json-view.js';
import { Lamp } from '../../parts/lamp.js';
import { Question } from '../../parts/question.js';
import { duration } from '../../rules/formats.js';

export function ActionDialog({
  action,
  close,
  changed,
}: {
  action: AgentAction;
  close: () => void;
  changed: () => void;
}) {
  const { api, can, say } = usePortal();
  const [asks, setAsks] = useState(false);
  const { id: action_id, action_name, action_config } = action;
  async function save({ description = '', config = '' }: Record<string, string>) {
    const change = { action_id, description, action_config: JSON.parse(config) as unknown };
    await api.agents.updateAction(change as AgentsUpdateActionInput);
    say('Saved.');
    changed();
  }
  async function remove(): Promise<void> {
    await api.agents.deleteAction({ action_id });
    changed();
    close();
  }
  if (asks)
    return (
      <Question
        title={`Delete the action ${action_name}?`}
        action="Delete the action"
        act={remove}
        close={() => setAsks(false)}
      >
        <p>The agent can no longer call it. It cannot be brought back.</p>
      </Question>
    );
  return (
    <Dialog title={`Action ${action_name}`} close={close}>
      <Form
        action="Save"
        submit={save}
        {...(can('write') ? {} : { locked: 'Your key may look, and not change anything.' })}
      >
        <Field label="What it does" hint="The model chooses by this sentence.">
          <input name="description" required defaultValue={action.description ?? ''} />
        </Field>
        <Field label="Configuration (JSON)">
          <textarea name="config" class="mono" rows={9} defaultValue={JSON.stringify(action_config, null, 2)} />
        </Field>
      </Form>
      {can('invoke') && <Trial actionId={action_id} />}
      {can('write') && (
        <div>
          <button class="danger" onClick={() => setAsks(true)}>
            Delete the action
          </button>
        </div>
      )}
    </Dialog>
  );
}

function Trial({ actionId }: { actionId: number }) {
  const { api } = usePortal();
  const [outcome, setOutcome] = useState<ActionTest | null>(null);
  return (
    <section class="stack" aria-label="Test">
      <h2>Test</h2>
      <Form
        action="Run it"
        submit={async ({ given = '{}' }) =>
          setOutcome(
            await api.agents.testAction({
              action_id: actionId,
              arguments: JSON.parse(given) as Record<string, unknown>,
            }),
          )
        }
      >
        <Field label="Arguments (JSON)">
          <textarea name="given" class="mono" rows={3} defaultValue="{}" />
        </Field>
      </Form>
      {outcome && (
        <>
          <div class="strip" role="status">
            <Lamp state={outcome.status} failureClass={outcome.failure_class} />
            <b>{duration(outcome.duration_ms)}</b>
          </div>
          {outcome.error_message && <p class="why odd">{outcome.error_message}</p>}
          <JsonView label="Output" value={outcome.output} />
        </>
      )}
    </section>
  );
}
