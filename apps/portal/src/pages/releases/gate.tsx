import { useState } from 'preact/hooks';
import type { ReleaseOverview } from '@signalbox/sdk';
import { useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../../api/portal.js';
import type { ReleasesOf } from '../../api/releases.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { Question } from '../../parts/question.js';

const DAY_MS = 86_400_000;

/** Without the digits that binary fractions add: 0.57 is 57, not 56.99999999999999. */
const inPerCent = (share: number): number => Number((share * 100).toFixed(8));
const inDays = (ms: number): number => Number((ms / DAY_MS).toFixed(8));

export function Gate({
  release: { name, parent_type, parent_id, parent_name, gate_policy: policy },
  calls,
  close,
  changed,
}: {
  release: ReleaseOverview;
  calls: ReleasesOf;
  close: () => void;
  changed: () => void;
}) {
  const { api, can } = usePortal();
  const cache = useQueryClient();
  const [asks, setAsks] = useState(false);
  const mayChange = policy === null ? can('write') : can('admin');
  const done = (): void => {
    changed();
    // What the gate said of each version.
    void cache.invalidateQueries({ queryKey: ['gate', parent_type, parent_id, name] });
    close();
  };
  async function save(given: Record<string, string>) {
    const share = (field: string): number => Number(given[field]) / 100;
    await calls.update(name, {
      gate_policy: {
        test_set_id: Number(given.test_set_id),
        min_match_rate: share('min_match_rate'),
        max_error_rate: share('max_error_rate'),
        max_age_ms: Math.round(Number(given.max_age_days) * DAY_MS),
        ...(given.confidence ? { confidence: share('confidence') } : {}),
      },
    });
    done();
  }
  if (asks)
    return (
      <Question
        title={`Remove the gate of ${name} of ${parent_name}?`}
        action="Remove the gate"
        act={() => calls.update(name, { gate_policy: null }).then(done)}
        close={() => setAsks(false)}
      >
        <p>Any version may move from then on, without a test.</p>
      </Question>
    );
  return (
    <Dialog title={`Gate of ${name} of ${parent_name}`} close={close}>
      <Form
        action="Save the gate"
        submit={save}
        {...(mayChange ? {} : { locked: 'Only keys with the scope admin change a gate.' })}
      >
        <Loaded name={['test sets', 'all']} load={(signal) => api.testSets.list({ limit: 100 }, { signal }).all()}>
          {(sets) => (
            <Field label="Test set" hint={sets.length === 0 ? 'There is none yet: make one from runs.' : ''}>
              <select name="test_set_id" required defaultValue={policy?.test_set_id ?? sets[0]?.id}>
                {policy !== null && !sets.some(({ id }) => id === policy.test_set_id) && (
                  <option value={policy.test_set_id}>test set {policy.test_set_id}</option>
                )}
                {sets.map(({ id, name: title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </select>
            </Field>
          )}
        </Loaded>
        <Field label="Items that match, at least, in per cent">
          <input
            name="min_match_rate"
            type="number"
            min={0}
            max={100}
            step="any"
            required
            defaultValue={inPerCent(policy?.min_match_rate ?? 0.9)}
          />
        </Field>
        <Field label="Items that end in an error, at most, in per cent">
          <input
            name="max_error_rate"
            type="number"
            min={0}
            max={100}
            step="any"
            required
            defaultValue={inPerCent(policy?.max_error_rate ?? 0)}
          />
        </Field>
        <Field label="Age of the run, at most, in days">
          <input
            name="max_age_days"
            type="number"
            min={0.01}
            max={365}
            step="any"
            required
            defaultValue={inDays(policy?.max_age_ms ?? 7 * DAY_MS)}
          />
        </Field>
        <Field label="Confidence, in per cent" hint="When given, the lower bound of the match rate is compared.">
          <input
            name="confidence"
            type="number"
            min={50}
            max={99.9}
            step="any"
            defaultValue={policy?.confidence ? inPerCent(policy.confidence) : ''}
          />
        </Field>
      </Form>
      {policy !== null && can('admin') && (
        <button class="danger" onClick={() => setAsks(true)}>
          Remove the gate
        </button>
      )}
    </Dialog>
  );
}
