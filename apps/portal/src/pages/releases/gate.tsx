import type { ReleaseOverview } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import type { ReleasesOf } from '../../api/releases.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';

const DAY_MS = 86_400_000;

export function Gate({
  release: { name, parent_name, gate_policy: policy },
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
  const mayChange = policy === null ? can('write') : can('admin');
  const done = (): void => {
    changed();
    close();
  };
  async function save(given: Record<string, string>) {
    const share = (field: string): number => Number(given[field]) / 100;
    await calls.update(name, {
      gate_policy: {
        test_set_id: Number(given.test_set_id),
        min_match_rate: share('min_match_rate'),
        max_error_rate: share('max_error_rate'),
        max_age_ms: Number(given.max_age_days) * DAY_MS,
        ...(given.confidence ? { confidence: share('confidence') } : {}),
      },
    });
    done();
  }
  return (
    <Dialog title={`Gate of ${name} of ${parent_name}`} close={close}>
      <Form
        action="Save the gate"
        submit={save}
        {...(mayChange ? {} : { locked: 'Only keys with the scope admin change a gate.' })}
      >
        <Loaded name={['test sets', 'all']} load={(signal) => api.testSets.list({ limit: 100 }, { signal })}>
          {({ data }) => (
            <Field label="Test set" hint={data.length === 0 ? 'There is none yet: make one from runs.' : ''}>
              <select name="test_set_id" required defaultValue={policy?.test_set_id ?? data[0]?.id}>
                {data.map(({ id, name: title }) => (
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
            defaultValue={(policy?.min_match_rate ?? 0.9) * 100}
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
            defaultValue={(policy?.max_error_rate ?? 0) * 100}
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
            defaultValue={(policy?.max_age_ms ?? 7 * DAY_MS) / DAY_MS}
          />
        </Field>
        <Field label="Confidence, in per cent" hint="When given, the lower bound of the match rate is compared.">
          <input
            name="confidence"
            type="number"
            min={50}
            max={99.9}
            step="any"
            defaultValue={policy?.confidence ? policy.confidence * 100 : ''}
          />
        </Field>
      </Form>
      {policy !== null && can('admin') && (
        <button class="danger" onClick={() => void calls.update(name, { gate_policy: null }).then(done)}>
          Remove the gate
        </button>
      )}
    </Dialog>
  );
}
