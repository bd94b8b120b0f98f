import { useState } from 'preact/hooks';
import type { Agent, AgentsCreateFormFieldInput } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Failure } from '../../parts/failure.js';
import { Field, Form } from '../../parts/form.js';
import { Question } from '../../parts/question.js';
import { Table } from '../../parts/table.js';
import { Order } from './order.js';

const TYPES = ['string', 'number', 'boolean', 'date', 'enum', 'object', 'array'] as const;

export function FormFields({ agent, changed }: { agent: Agent; changed: () => void }) {
  const { api, can } = usePortal();
  const [isNew, setIsNew] = useState(false);
  const [unwanted, setUnwanted] = useState<{ field_id: number; label: string } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const agent_id = agent.id;
  const act = (call: Promise<unknown>): void => void call.then(changed, setError);
  async function add({
    field_key = '',
    label = '',
    field_type = 'string',
    choices = '',
    required,
  }: Record<string, string>) {
    const type = field_type as AgentsCreateFormFieldInput['field_type'];
    await api.agents.createFormField({
      ...{ agent_id, field_key, label, field_type: type, required: required === 'on' },
      ...(type === 'enum' ? { enum_values: choices.split(',').map((choice) => choice.trim()) } : {}),
    });
    setIsNew(false);
    changed();
  }
  return (
    <section class="card" aria-label="Form fields">
      <div class="head">
        <h2>Form fields</h2>
        <button aria-disabled={!can('write')} onClick={() => can('write') && setIsNew(true)}>
          New field
        </button>
      </div>
      <Failure error={error} />
      {agent.form_fields.length === 0 ? (
        <p class="soft">It collects nothing in a session.</p>
      ) : (
        <Table label="All form fields" columns={['Field', 'Type', 'Required']} actions>
          {agent.form_fields.map(({ id: field_id, field_key, label, field_type, required, enum_values }, at, all) => (
            <tr key={field_id}>
              <td>
                {label} <code>{field_key}</code>
              </td>
              <td>{enum_values ? enum_values.join(', ') : field_type}</td>
              <td>{required ? 'yes' : 'no'}</td>
              <td>
                {can('write') && (
                  <>
                    <Order
                      name={label}
                      at={at}
                      last={all.length - 1}
                      move={(position) => act(api.agents.reorderFormField({ agent_id, field_id, position }))}
                    />
                    <button class="danger" onClick={() => setUnwanted({ field_id, label })}>
                      Delete
                    </button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {unwanted && (
        <Question
          title={`Delete the field ${unwanted.label}?`}
          action="Delete the field"
          act={async () => {
            await api.agents.deleteFormField({ agent_id, field_id: unwanted.field_id });
            changed();
          }}
          close={() => setUnwanted(null)}
        >
          <p>Sessions no longer ask for it.</p>
        </Question>
      )}
      {isNew && (
        <Dialog title="New field" close={() => setIsNew(false)}>
          <Form submit={add} action="Add it">
            <Field label="Key" hint="Small letters, digits and underscores.">
              <input name="field_key" required pattern="[a-z][a-z0-9_]*" autofocus />
            </Field>
            <Field label="Label">
              <input name="label" required />
            </Field>
            <Field label="Type">
              <select name="field_type">
                {TYPES.map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </select>
            </Field>
            <Field label="Choices of an enum, separated by commas">
              <input name="choices" />
            </Field>
            <label>
              <span>
                <input type="checkbox" name="required" /> required
              </span>
            </label>
          </Form>
        </Dialog>
      )}
    </section>
  );
}
