import { useState } from 'preact/hooks';
import type { Agent } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Failure } from '../../parts/failure.js';
import { Field } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { Time } from '../../parts/time.js';

/** Each field is saved when it is left. */
export function Prompt({ agent, reload }: { agent: Agent; reload: () => void }) {
  const { api, can } = usePortal();
  const [saved, setSaved] = useState<{ field: string; at: number; was: unknown } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const readOnly = !can('write');

  async function save(field: string, value: unknown): Promise<void> {
    const was = agent[field as keyof Agent];
    if ((was ?? '') === (value ?? '')) return;
    try {
      await api.agents.update({ agent_id: agent.id, [field]: value });
      setSaved({ field, at: Date.now(), was });
      setError(null);
    } catch (problem) {
      setError(problem);
    }
    reload();
  }
  const text = (field: keyof Agent) => ({
    name: field,
    readOnly,
    defaultValue: String(agent[field] ?? ''),
    key: `${field}-${String(agent[field])}`,
    onBlur: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      void save(field, currentTarget.value === '' ? null : currentTarget.value),
  });
  return (
    <section class="card" aria-label="Prompt">
      <div class="head">
        <h2>Prompt</h2>
        <span class="soft" role="status">
          {saved && (
            <>
              {saved.field.replaceAll('_', ' ')} saved <Time at={saved.at} />{' '}
              <button class="plain" onClick={() => void save(saved.field, saved.was)}>
                Undo
              </button>
            </>
          )}
        </span>
      </div>
      <Failure error={error} />
      <Field label="System prompt">
        <textarea rows={10} {...text('system_prompt')} />
      </Field>
      <Field label="Model" hint="Empty: the model of the application, else of the company.">
        <Loaded name={['models']} load={(signal) => api.models.listAvailable({}, { signal })}>
          {(models) => (
            <select
              disabled={readOnly}
              value={agent.model ?? ''}
              onChange={({ currentTarget }) => void save('model', currentTarget.value || null)}
            >
              <option value="">default</option>
              {namesOf(models).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
        </Loaded>
      </Field>
      <Field label="Most steps of one answer">
        <input
          type="number"
          min={1}
          max={100}
          readOnly={readOnly}
          key={`max_iterations-${agent.max_iterations}`}
          defaultValue={String(agent.max_iterations)}
          onBlur={({ currentTarget }) => void save('max_iterations', Number(currentTarget.value))}
        />
      </Field>
      <Field label="Most that one answer may cost ($)" hint="With its sub-agents; empty: no limit.">
        <input
          type="number"
          min={0}
          step="any"
          readOnly={readOnly}
          key={`max_cost-${agent.max_cost}`}
          defaultValue={agent.max_cost === null ? '' : String(agent.max_cost)}
          onBlur={({ currentTarget: { value } }) => void save('max_cost', value === '' ? null : Number(value))}
        />
      </Field>
    </section>
  );
}

const namesOf = (models: unknown): string[] => {
  const list = Array.isArray(models) ? models : ((models as { data?: unknown[] }).data ?? []);
  return list.map((model) =>
    String((model as { model_name?: string; id?: string }).model_name ?? (model as { id?: string }).id),
  );
};
