import { useRef, useState } from 'preact/hooks';
import type { Signalbox } from '@signalbox/sdk';
import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { usePortal } from '../api/portal.js';
import { count } from '../rules/formats.js';
import { Problem } from './empty.js';
import { focusOf } from './focus.js';
import { Field } from './form.js';

const PAGE = { limit: 100 };
const KEY = ['test sets'];

interface ChosenSet {
  id: number;
  name: string;
}

export function useTestSetChoice() {
  const { api } = usePortal();
  const cache = useQueryClient();
  const [isNew, setIsNew] = useState<boolean | null>(null);
  const sets = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => await api.testSets.list(PAGE, { signal }).all(),
  });
  const known = sets.data ?? [];
  const makesNew = isNew ?? known.length === 0;
  /** By an attempt that failed later: another attempt would find its name taken. */
  const latest = useRef<ChosenSet | null>(null);
  const newSet = async (name: string): Promise<ChosenSet> => {
    if (latest.current?.name !== name) latest.current = await made(api, name);
    return latest.current;
  };
  return {
    sets,
    known,
    makesNew,
    setIsNew,
    chosen: async ({ test_set_id = '', name = '' }: Record<string, string>): Promise<ChosenSet> => {
      const set = makesNew ? await newSet(name) : known.find(({ id }) => String(id) === test_set_id);
      if (!set) throw new Error('Choose a test set.');
      return set;
    },
    changed: () => cache.invalidateQueries({ queryKey: KEY }),
  };
}

const made = (api: Signalbox, name: string): PromiseLike<ChosenSet> => api.testSets.create({ name });

export function TestSetChoice({ choice }: { choice: ReturnType<typeof useTestSetChoice> }) {
  const { sets, known, makesNew, setIsNew } = choice;
  if (sets.error !== null) return <Problem error={sets.error} retry={() => void sets.refetch()} />;
  if (!sets.data) return null;
  return (
    <>
      {known.length > 0 && (
        <fieldset class="bar">
          <legend class="visually-hidden">Which test set</legend>
          <label class="check-line">
            <input type="radio" name="which" checked={!makesNew} onChange={() => setIsNew(false)} /> One that exists
          </label>
          <label class="check-line">
            <input type="radio" name="which" checked={makesNew} onChange={() => setIsNew(true)} /> A new one
          </label>
        </fieldset>
      )}
      {makesNew ? (
        <Field label="Name of the new test set">
          <input name="name" required maxLength={200} ref={focusOf} />
        </Field>
      ) : (
        <Field label="Test set">
          <select name="test_set_id" ref={focusOf}>
            {known.map(({ id, name, item_count }) => (
              <option value={id} key={id}>
                {name} ({count(item_count)})
              </option>
            ))}
          </select>
        </Field>
      )}
    </>
  );
}
