import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { SchemaField } from '../rules/schema-fields.js';
import type { Entered } from '../rules/schema-values.js';

interface Props {
  field: SchemaField;
  entered: Entered;
  errors: Record<string, string>;
  change: (entered: Entered) => void;
}

const isLong = ({ schema }: SchemaField): boolean =>
  typeof schema.maxLength === 'number' ? schema.maxLength > 200 : schema.format === 'textarea';

const labelOf = ({ label, required, kind }: SchemaField): string =>
  `${label || 'Input'}${required || kind === 'boolean' ? '' : ' (optional)'}`;

const INPUT_TYPES: Record<string, string> = { date: 'date', email: 'email', uri: 'url', password: 'password' };

export function SchemaForm({ field, entered, errors, change }: Props) {
  if (field.kind !== 'group') return <OneField field={field} entered={entered} errors={errors} change={change} />;
  const fields = field.fields.map((each) => (
    <SchemaForm key={each.path} field={each} entered={entered} errors={errors} change={change} />
  ));
  if (field.path === '') return <div class="stack">{fields}</div>;
  return (
    <fieldset class="stack">
      <legend>{labelOf(field)}</legend>
      {field.hint && <small class="hint">{field.hint}</small>}
      {fields}
    </fieldset>
  );
}

function OneField({ field, entered, errors, change }: Props) {
  const id = useId();
  const value = entered[field.path];
  const error = errors[field.path];
  const set = (next: Entered[string]): void => change({ ...entered, [field.path]: next });
  const shared = {
    id,
    name: `field-${field.path}`,
    'aria-invalid': error !== undefined,
    'aria-required': field.required,
    ...(error !== undefined || hintOf(field) !== '' ? { 'aria-describedby': `${id}-note` } : {}),
  };
  return (
    <div class="field">
      {field.kind === 'choices' ? (
        <Choices field={field} chosen={Array.isArray(value) ? value : []} set={set} />
      ) : (
        <>
          <label for={id} class={field.kind === 'boolean' ? 'check' : ''}>
            {field.kind === 'boolean' && (
              <input
                {...shared}
                type="checkbox"
                checked={value === true}
                onChange={({ currentTarget }) => set(currentTarget.checked)}
              />
            )}
            <span>{labelOf(field)}</span>
          </label>
          {field.kind !== 'boolean' && <Control field={field} value={String(value ?? '')} set={set} shared={shared} />}
        </>
      )}
      <Note id={`${id}-note`} error={error}>
        {hintOf(field)}
      </Note>
    </div>
  );
}

const Note = ({ id, error, children }: { id: string; error: string | undefined; children: ComponentChildren }) =>
  error !== undefined ? (
    <small id={id} class="error">
      This {error}.
    </small>
  ) : children === '' ? null : (
    <small id={id} class="hint">
      {children}
    </small>
  );

function hintOf({ kind, hint }: SchemaField): string {
  const how = kind === 'list' ? 'One a line.' : kind === 'json' ? 'JSON.' : '';
  return [hint, how].filter(Boolean).join(' ');
}

function nameOf({ choices, names }: SchemaField, choice: string): string {
  const name = names[choices.indexOf(choice)];
  return name ?? (choice.startsWith('"') ? String(JSON.parse(choice)) : choice);
}

interface ControlProps {
  field: SchemaField;
  value: string;
  set: (value: string) => void;
  shared: object;
}

function Control({ field, value, set, shared }: ControlProps) {
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }): void => set(currentTarget.value);
  if (field.kind === 'choice')
    return (
      <select {...shared} value={value} onChange={onInput}>
        <option value="">{field.required ? 'choose …' : 'none'}</option>
        {field.choices.map((choice) => (
          <option value={choice} key={choice}>
            {nameOf(field, choice)}
          </option>
        ))}
      </select>
    );
  if (field.kind === 'list' || field.kind === 'json' || isLong(field))
    return (
      <textarea
        {...shared}
        class={field.kind === 'json' ? 'mono' : ''}
        rows={field.kind === 'json' && field.path === '' ? 8 : 3}
        spellcheck={false}
        value={value}
        onInput={onInput}
      />
    );
  return (
    <input
      {...shared}
      type={INPUT_TYPES[String(field.schema.format)] ?? 'text'}
      {...(field.kind === 'number' ? { inputMode: 'decimal' as const } : {})}
      value={value}
      onInput={onInput}
    />
  );
}

function Choices({ field, chosen, set }: { field: SchemaField; chosen: string[]; set: (value: string[]) => void }) {
  return (
    <fieldset>
      <legend>{labelOf(field)}</legend>
      {field.choices.map((choice) => (
        <label class="check" key={choice}>
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            onChange={({ currentTarget }) =>
              set(currentTarget.checked ? [...chosen, choice] : chosen.filter((each) => each !== choice))
            }
          />
          <span>{nameOf(field, choice)}</span>
        </label>
      ))}
    </fieldset>
  );
}
