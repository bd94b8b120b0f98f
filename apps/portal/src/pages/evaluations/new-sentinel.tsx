import { useState } from 'preact/hooks';
import type { SentinelDirective } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Failure } from '../../parts/failure.js';
import { Field, Form } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { SEVERITIES } from './severities.js';

export function NewSentinel({ close, made }: { close: () => void; made: (id: number) => void }) {
  const { api } = usePortal();
  return (
    <Dialog title="New sentinel" close={close}>
      <Loaded name={['intent groups']} load={(signal) => api.intentGroups.list({ limit: 100 }, { signal }).all()}>
        {(groups) =>
          groups.length === 0 ? (
            <Empty title="There is no intent group yet. It begins with the first intent of an application." />
          ) : (
            <Fields groups={groups.map(({ id, intent_group_name }) => [id, intent_group_name])} made={made} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Fields({ groups, made }: { groups: [number, string][]; made: (id: number) => void }) {
  const { api, can } = usePortal();
  const [group, setGroup] = useState(groups[0]?.[0] ?? 0);
  const [given, setGiven] = useState({ name: '', severity: '3', instruction: '', correction: '' });
  const [proposed, setProposed] = useState<SentinelDirective | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const set = (changes: Partial<typeof given>): void => setGiven({ ...given, ...changes });
  function propose(): void {
    setIsBusy(true);
    setError(null);
    api.sentinels
      .generate({ intent_group_id: group, prompt: given.instruction })
      .then(({ sentinel_name, severity, sentinel_directive }) => {
        setProposed(sentinel_directive);
        set({ name: sentinel_name, severity: String(severity), instruction: sentinel_directive.instruction });
      })
      .catch(setError)
      .finally(() => setIsBusy(false));
  }
  async function make(): Promise<void> {
    const { instruction, correction, name, severity } = given;
    const { id } = await api.sentinels.create({
      sentinel_name: name,
      severity: Number(severity),
      intent_group_id: group,
      sentinel_directive: {
        ...proposed,
        instruction,
        ...(correction === '' ? {} : { correction: { type: 'STATIC', instruction: correction } }),
      },
    });
    made(id);
  }
  return (
    <Form action="Make it" submit={make}>
      <Field label="Intent group">
        <select value={group} onChange={({ currentTarget }) => setGroup(Number(currentTarget.value))}>
          {groups.map(([id, name]) => (
            <option value={id} key={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="What makes an answer faulty">
        <textarea
          rows={4}
          required
          autofocus
          value={given.instruction}
          onInput={({ currentTarget }) => set({ instruction: currentTarget.value })}
        />
      </Field>
      <div>
        <button
          type="button"
          aria-disabled={!can('invoke') || given.instruction === '' || isBusy}
          onClick={() => can('invoke') && given.instruction !== '' && !isBusy && propose()}
        >
          {isBusy ? 'One moment …' : 'Let a model work it out'}
        </button>
      </div>
      <Failure error={error} />
      <Field label="Name">
        <input
          required
          maxLength={200}
          value={given.name}
          onInput={({ currentTarget }) => set({ name: currentTarget.value })}
        />
      </Field>
      <Field label="Severity">
        <select value={given.severity} onChange={({ currentTarget }) => set({ severity: currentTarget.value })}>
          {Object.entries(SEVERITIES).map(([value, words]) => (
            <option value={value} key={value}>
              {words}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Text instead of a faulty answer" hint="Empty: faulty answers stay as they are.">
        <textarea
          rows={2}
          value={given.correction}
          onInput={({ currentTarget }) => set({ correction: currentTarget.value })}
        />
      </Field>
    </Form>
  );
}
