import { useState } from 'preact/hooks';
import type { Agent, Route, RoutingCondition } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { OPERATORS, TAKES_NO_VALUE } from '../../rules/routing-words.js';

type Operator = RoutingCondition['operator'];

/** One condition; further ones are added by the API. */
export function NewRule({
  agent,
  names,
  close,
  made,
}: {
  agent: Agent;
  names: ReadonlyMap<number, string>;
  close: () => void;
  made: () => void;
}) {
  const { api } = usePortal();
  const [target, setTarget] = useState<RoutingCondition['target_type']>('message');
  const [operator, setOperator] = useState<Operator>('contains');
  const [type, setType] = useState<Route['type']>('agent');
  async function make({ label = '', variable_path = '', value = '', to = '' }: Record<string, string>) {
    const condition: RoutingCondition = {
      target_type: target,
      operator,
      ...(variable_path ? { variable_path } : {}),
      ...(TAKES_NO_VALUE.has(operator) ? {} : { value }),
    };
    const route: Route = {
      type,
      ...(type === 'agent' ? { agent_id: Number(to) } : {}),
      ...(type === 'action' ? { action_id: Number(to) } : {}),
    };
    await api.agents.createRoutingRule({ agent_id: agent.id, label, conditions: [condition], route });
    made();
    close();
  }
  const choices: readonly [number, string][] =
    type === 'agent'
      ? agent.sub_agents.map(({ child_agent_id: id }): [number, string] => [id, names.get(id) ?? `agent ${id}`])
      : agent.actions.map(({ id, action_name }): [number, string] => [id, action_name]);
  return (
    <Dialog title="New rule" close={close}>
      <Form submit={make} action="Add it">
        <Field label="Name">
          <input name="label" required autofocus />
        </Field>
        <Field label="When">
          <select value={target} onChange={({ currentTarget }) => setTarget(currentTarget.value as 'message')}>
            <option value="message">the message</option>
            <option value="state">a field of the state</option>
            <option value="request">a field of the request</option>
          </select>
        </Field>
        {target !== 'message' && (
          <Field label="Field" hint="A dotted path.">
            <input name="variable_path" required />
          </Field>
        )}
        <Field label="Is">
          <select value={operator} onChange={({ currentTarget }) => setOperator(currentTarget.value as Operator)}>
            {Object.entries(OPERATORS).map(([name, words]) => (
              <option key={name} value={name}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        {!TAKES_NO_VALUE.has(operator) && (
          <Field label="Value">
            <input name="value" required />
          </Field>
        )}
        <Field label="Then">
          <select value={type} onChange={({ currentTarget }) => setType(currentTarget.value as Route['type'])}>
            <option value="agent">a sub-agent answers</option>
            <option value="action">an action runs</option>
            <option value="llm">the agent thinks by itself</option>
            <option value="none">nothing happens</option>
          </select>
        </Field>
        {(type === 'agent' || type === 'action') && (
          <Field
            label={type === 'agent' ? 'Sub-agent' : 'Action'}
            hint={choices.length === 0 ? `This agent has none yet: add one above.` : ''}
          >
            <select name="to" required>
              {choices.map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        )}
      </Form>
    </Dialog>
  );
}
