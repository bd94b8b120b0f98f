import { useState } from 'preact/hooks';
import type { Agent } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Failure } from '../../parts/failure.js';
import { Field, Form } from '../../parts/form.js';
import { Lamp } from '../../parts/lamp.js';
import { Table } from '../../parts/table.js';
import { oneLine } from '../../rules/formats.js';
import { ActionDialog } from './action-dialog.js';

const EXAMPLE = `{
  "method": "GET",
  "base_url": "https://orders.example",
  "endpoint": "/orders/{number}",
  "parameters": {"number": {"type": "string", "required": true}},
  "mock_response": {"number": "A-17", "status": "shipped"}
}`;

export function Actions({ agent }: { agent: Agent }) {
  const { api, can } = usePortal();
  const cache = useQueryClient();
  const [isNew, setIsNew] = useState(false);
  const [shown, setShown] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const reload = () => cache.invalidateQueries({ queryKey: ['agent', agent.id] });

  async function add({
    action_name = '',
    action_type = 'api',
    description = '',
    action_config = '',
  }: Record<string, string>) {
    await api.agents.createAction({
      agent_id: agent.id,
      action_name,
      action_type: action_type as 'api',
      description,
      action_config: JSON.parse(action_config) as { endpoint: string },
    });
    setIsNew(false);
    await reload();
  }
  const toggle = (action_id: number, enabled: boolean): void => {
    setError(null);
    const call = enabled ? api.agents.disableAction({ action_id }) : api.agents.enableAction({ action_id });
    call.then(reload).catch(setError);
  };
  const action = agent.actions.find(({ id }) => id === shown);
  return (
    <section class="card" aria-label="Actions">
      <div class="head">
        <h2>Actions</h2>
        <button aria-disabled={!can('write')} onClick={() => can('write') && setIsNew(true)}>
          New action
        </button>
      </div>
      <Failure error={error} />
      {agent.actions.length === 0 && <p class="soft">Without an action the agent only answers.</p>}
      {agent.actions.length > 0 && (
        <Table label="All actions" columns={['Name', 'Type', 'Does', 'State']}>
          {agent.actions.map(({ id, action_name, action_type, description, enabled, status }) => (
            <tr key={id}>
              <td>
                <button class="plain" onClick={() => setShown(id)}>
                  {action_name}
                </button>
              </td>
              <td>{action_type}</td>
              <td>{oneLine(description, 60)}</td>
              <td>
                <Lamp state={status} />{' '}
                <button aria-disabled={!can('write')} onClick={() => can('write') && toggle(id, enabled)}>
                  {enabled ? 'Disable' : 'Enable'}
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {action && <ActionDialog action={action} close={() => setShown(null)} changed={() => void reload()} />}
      {isNew && (
        <Dialog title="New action" close={() => setIsNew(false)}>
          <Form submit={add} action="Add it">
            <Field label="Name" hint="As the model sees it.">
              <input name="action_name" required autofocus />
            </Field>
            <Field label="Type">
              <select name="action_type">
                <option value="api">api</option>
                <option value="webhook">webhook</option>
                <option value="llm">llm</option>
              </select>
            </Field>
            <Field label="What it does" hint="The model chooses by this sentence.">
              <input name="description" required />
            </Field>
            <Field label="Configuration (JSON)">
              <textarea name="action_config" class="mono" rows={9} defaultValue={EXAMPLE} />
            </Field>
          </Form>
        </Dialog>
      )}
    </section>
  );
}
