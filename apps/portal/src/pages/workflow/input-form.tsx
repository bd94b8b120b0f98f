import { useEffect, useMemo, useState } from 'preact/hooks';
import { SchemaForm } from '../../parts/schema-form.js';
import { formOf, type Schema, type SchemaField } from '../../rules/schema-fields.js';
import { canShow, type Entered, enteredOf, valueOf } from '../../rules/schema-values.js';

export interface InputState {
  /** Those of the schema, or one for JSON. */
  field: SchemaField;
  entered: Entered;
  errors: Record<string, string>;
  isJson: boolean;
  hasForm: boolean;
  note: string;
  change: (entered: Entered) => void;
  toggle: () => void;
  read: () => { isGood: boolean; value?: unknown };
}

const JSON_FIELD: SchemaField = { ...formOf({}), required: false, label: 'Input' };
const NO_VALUE = '{}';

const asJson = (value: unknown): Entered => ({ '': value === undefined ? NO_VALUE : JSON.stringify(value, null, 2) });

export function useInput(schema: Schema | null): InputState {
  const key = JSON.stringify(schema);
  const form = useMemo(() => (schema === null ? null : formOf(schema)), [key]);
  const hasForm = form !== null && form.kind !== 'json';
  const [entered, setEntered] = useState<Entered>(() => (form && hasForm ? enteredOf(form) : asJson(undefined)));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [prefersJson, setPrefersJson] = useState(false);
  const [note, setNote] = useState('');
  const isJson = !hasForm || prefersJson;
  const field = isJson ? JSON_FIELD : form;

  useEffect(() => {
    setErrors({});
    // Entries stay in fields that the schema still has; new fields show their defaults.
    if (form && hasForm && !prefersJson) setEntered((before) => ({ ...enteredOf(form), ...before }));
    else setEntered((before) => ('' in before ? before : asJson(undefined)));
  }, [key]);

  function toggle(): void {
    setErrors({});
    setNote('');
    const { value, errors: wrong } = valueOf(field, entered);
    if (!isJson) {
      setEntered(asJson(value));
      setPrefersJson(true);
    } else if (form && Object.keys(wrong).length === 0 && (value === undefined || canShow(form, value))) {
      setEntered(enteredOf(form, value));
      setPrefersJson(false);
    } else setNote('The form cannot show all of this input.');
  }
  return {
    field,
    entered,
    errors,
    isJson,
    hasForm,
    note,
    toggle,
    change: (next) => {
      setEntered(next);
      setErrors({});
      setNote('');
    },
    read: () => {
      const { value, errors: wrong } = valueOf(field, entered);
      setErrors(wrong);
      return { isGood: Object.keys(wrong).length === 0, value };
    },
  };
}

export const InputForm = ({ input }: { input: InputState }) => (
  <div class="stack">
    <div class="head">
      <h3>Input</h3>
      <span class="grow" />
      {input.hasForm && (
        <button class="plain" onClick={input.toggle}>
          {input.isJson ? 'As a form' : 'As JSON'}
        </button>
      )}
    </div>
    {input.note !== '' && (
      <p class="error" role="alert">
        {input.note}
      </p>
    )}
    <SchemaForm field={input.field} entered={input.entered} errors={input.errors} change={input.change} />
  </div>
);
