import { useEffect, useRef } from 'preact/hooks';
import { useNames } from '../../api/names.js';
import { type Filter, setFilters } from '../../rules/filters.js';
import { valueWords } from '../../rules/origins.js';
import { Copy } from '../copy.js';
import { Field } from '../form.js';
import { useQueryParams } from '../param.js';
import { Choices } from './choices.js';
import { SpanFields } from './span-fields.js';

/** Pause in typing after which a text filters. */
const PAUSE_MS = 250;

interface One {
  filter: Filter;
  value: string;
  set: (value: string) => void;
}

/** Filters live in the address, which can be kept and shared. */
export function FilterBar({
  filters,
  orders,
  hasSpan = true,
}: {
  filters: readonly Filter[];
  /** Labels by the value of `sort`; the first is the default. */
  orders: readonly (readonly [string, string])[];
  hasSpan?: boolean;
}) {
  const [params, change] = useQueryParams();
  const given = setFilters(filters, params);
  const one = (filter: Filter) => (
    <OneFilter
      key={filter.name}
      filter={filter}
      value={params.get(filter.name) ?? ''}
      set={(value) => change({ [filter.name]: value })}
    />
  );
  const further = filters.filter(({ isMain }) => !isMain);
  const [standard] = orders[0] ?? ['-id'];
  const links = (
    <>
      {given.length > 0 && (
        <button class="plain" onClick={() => change(Object.fromEntries([...given, 'sort'].map((name) => [name, ''])))}>
          Clear filters
        </button>
      )}
      <Copy text={location.href} label="Copy link" />
    </>
  );
  return (
    <div class="stack tight">
      <div class="bar">
        {filters.filter(({ isMain }) => isMain).map(one)}
        {hasSpan && <SpanFields params={params} change={change} />}
        <Field label="Order">
          <select
            value={params.get('sort') ?? standard}
            onChange={({ currentTarget }) =>
              change({ sort: currentTarget.value === standard ? '' : currentTarget.value })
            }
          >
            {orders.map(([value, label]) => (
              <option value={value} key={value}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        {further.length === 0 && links}
      </div>
      {further.length > 0 && (
        <div class="bar">
          <details class="further" open={further.some(({ name }) => given.includes(name))}>
            <summary>More filters</summary>
            <div class="bar">{further.map(one)}</div>
          </details>
          {links}
        </div>
      )}
    </div>
  );
}

export function OneFilter({ filter, value, set }: One) {
  const { label, values = [], kind, hint } = filter;
  if (kind === 'choices')
    return (
      <Choices
        label={label}
        values={values}
        chosen={value === '' ? [] : value.split(',')}
        choose={(chosen) => set(chosen.join(','))}
      />
    );
  if (kind === 'choice')
    return (
      <Field label={label}>
        <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
          <option value="">any</option>
          {values.map((each) => (
            <option value={each} key={each}>
              {filter.words?.[each] ?? (each === 'true' ? 'yes' : each === 'false' ? 'no' : valueWords(each))}
            </option>
          ))}
        </select>
      </Field>
    );
  if (kind === 'names') return <Named filter={filter} value={value} set={set} />;
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      <Typed value={value} set={set} isNumber={kind === 'number'} />
    </Field>
  );
}

/** An id without a name, such as that of something deleted, is kept. */
function Named({ filter, value, set }: One) {
  const names = useNames(filter.of ?? 'agents');
  const isOther = value !== '' && !names.has(Number(value));
  return (
    <Field label={filter.label}>
      <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        <option value="">any</option>
        {isOther && <option value={value}>{value}</option>}
        {[...names].map(([id, name]) => (
          <option value={String(id)} key={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Typed({ value, set, isNumber }: { value: string; set: (value: string) => void; isNumber: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    if (input.current && input.current.value !== value && document.activeElement !== input.current)
      input.current.value = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }): void => {
    const typed = currentTarget.value;
    clearTimeout(timer.current ?? undefined);
    timer.current = setTimeout(() => set(typed), PAUSE_MS);
  };
  return isNumber ? (
    <input ref={input} type="number" min="0" step="any" defaultValue={value} onInput={onInput} />
  ) : (
    <input ref={input} type="search" defaultValue={value} onInput={onInput} />
  );
}
