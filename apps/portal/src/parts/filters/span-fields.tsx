import { useState } from 'preact/hooks';
import { SPANS } from '../../rules/filters.js';
import { exact } from '../../rules/formats.js';
import { Field } from '../form.js';

const localOf = (ms: string | null): string => (ms === null ? '' : exact(Number(ms)).replace(' ', 'T').slice(0, 16));
const msOf = (local: string): string => (local === '' ? '' : String(new Date(local).getTime()));

export function SpanFields({
  params,
  change,
}: {
  params: URLSearchParams;
  change: (changes: Record<string, string>) => void;
}) {
  const start = params.get('start_date');
  const end = params.get('end_date');
  const [isOwn, setIsOwn] = useState(start !== null || end !== null);
  const choose = (value: string): void => {
    setIsOwn(value === 'own');
    change(value === 'own' ? { since: '' } : { since: value, start_date: '', end_date: '' });
  };
  return (
    <>
      <Field label="Time">
        <select
          value={isOwn ? 'own' : (params.get('since') ?? '')}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">any</option>
          {Object.entries(SPANS).map(([value, { label }]) => (
            <option value={value} key={value}>
              {label}
            </option>
          ))}
          <option value="own">from … to …</option>
        </select>
      </Field>
      {isOwn && (
        <>
          <Field label="From">
            <input
              type="datetime-local"
              value={localOf(start)}
              onChange={({ currentTarget }) => change({ start_date: msOf(currentTarget.value) })}
            />
          </Field>
          <Field label="Before">
            <input
              type="datetime-local"
              value={localOf(end)}
              onChange={({ currentTarget }) => change({ end_date: msOf(currentTarget.value) })}
            />
          </Field>
        </>
      )}
    </>
  );
}
