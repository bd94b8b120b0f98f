import { useState } from 'preact/hooks';
import { usePortal } from '../../api/portal.js';
import { Field } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';

export type TargetType = 'agent' | 'workflow' | 'intent';
export interface Target {
  target_type: TargetType;
  target_id: number;
}

export const targetOf = ({ target_type = 'agent', target_id = '' }: Record<string, string>): Target => ({
  target_type: target_type as TargetType,
  target_id: Number(target_id),
});

export function TargetFields({ chosen }: { chosen?: (target: Target | null) => void }) {
  const { api } = usePortal();
  const [type, setType] = useState<TargetType>('agent');
  const load = async (signal: AbortSignal): Promise<{ id: number; name: string }[]> => {
    const page = { limit: 100 };
    if (type === 'agent')
      return (await api.agents.list(page, { signal }).all()).map(({ id, agent_name }) => ({ id, name: agent_name }));
    if (type === 'workflow')
      return (await api.workflows.list(page, { signal }).all()).map(({ id, workflow_name }) => ({
        id,
        name: workflow_name,
      }));
    const applications = await api.applications.list(page, { signal }).all();
    const intents = await Promise.all(
      applications.map(async ({ id: application_id, application_name }) =>
        (await api.intents.list({ application_id, ...page }, { signal }).all()).map(({ id, action_type }) => ({
          id,
          name: `${action_type} of ${application_name}`,
        })),
      ),
    );
    return intents.flat();
  };
  return (
    <>
      <Field label="Watches">
        <select
          name="target_type"
          value={type}
          onChange={({ currentTarget }) => {
            setType(currentTarget.value as TargetType);
            chosen?.(null);
          }}
        >
          <option value="agent">the runs of an agent</option>
          <option value="workflow">the runs of a workflow</option>
          <option value="intent">the requests of an intent</option>
        </select>
      </Field>
      <Loaded name={['targets', type]} load={load}>
        {(choices) => (
          <Field label="Which" hint={choices.length === 0 ? 'There is none yet.' : ''}>
            <select
              name="target_id"
              required
              onChange={({ currentTarget: { value } }) =>
                chosen?.(value === '' ? null : { target_type: type, target_id: Number(value) })
              }
            >
              <option value="">choose …</option>
              {choices.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        )}
      </Loaded>
    </>
  );
}
