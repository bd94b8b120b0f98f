import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError, type Signalbox } from '@signalbox/sdk';
import { namesOf } from '../api/names.js';
import { usePortal } from '../api/portal.js';
import { Dialog } from '../parts/dialog.js';
import { Form } from '../parts/form.js';
import { Loaded } from '../parts/loaded.js';
import { SchemaForm } from '../parts/schema-form.js';
import { begunWith, errorsOf, type Option, schemaOf } from '../rules/item-form.js';
import { formOf } from '../rules/schema-fields.js';
import { enteredOf, valueOf } from '../rules/schema-values.js';
import type { ItemForm } from './declaration.js';

type Value = Record<string, unknown>;

interface Props<V> {
  title: string;
  action: string;
  form: ItemForm<V>;
  given?: Value;
  /** `begun` is what the form itself made of `given`: what differs from it was changed in the form. */
  submit: (value: Value, begun: Value) => Promise<unknown>;
  close: () => void;
}

export function ItemFormDialog<V>({ title, form, close, ...rest }: Props<V>) {
  const { api } = usePortal();
  // The form keeps the options that it begins with, so they are loaded each time it is opened.
  const [openedAt] = useState(Date.now);
  return (
    <Dialog title={title} close={close}>
      <Loaded name={['options', title, openedAt]} load={(signal) => optionsOf(api, form, signal)}>
        {(options) => <Fields form={form} options={options} {...rest} />}
      </Loaded>
    </Dialog>
  );
}

async function optionsOf<V>(api: Signalbox, { options = {} }: ItemForm<V>, signal: AbortSignal) {
  const entries = Object.entries(options as Required<ItemForm<Value>>['options']).map(async ([name, source]) => {
    if (source === undefined) return [name, []] as const;
    return [
      name,
      typeof source === 'string' ? [...(await namesOf(api, source, signal))] : await source(api, signal),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<string, readonly Option[]>;
}

function Fields<V>({
  form,
  options,
  given,
  action,
  submit,
}: Pick<Props<V>, 'form' | 'given' | 'action' | 'submit'> & { options: Record<string, readonly Option[]> }) {
  const field = useMemo(() => formOf(schemaOf(form.fields as Record<string, Value>, form.required ?? [], options)), []);
  const [entered, setEntered] = useState(() => enteredOf(field, given));
  const [begun] = useState(() => begunWith(field, given));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  useEffect(() => box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [errors]);

  async function send(): Promise<void> {
    const { value, errors: wrong } = valueOf(field, entered);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    try {
      await submit(value as Value, begun);
    } catch (error) {
      const refused = error instanceof ApiError ? errorsOf(field, error.details) : undefined;
      if (refused === undefined) throw error;
      setErrors(refused);
    }
  }
  return (
    <Form submit={send} action={action}>
      <div ref={box}>
        <SchemaForm field={field} entered={entered} errors={errors} change={setEntered} />
      </div>
    </Form>
  );
}
