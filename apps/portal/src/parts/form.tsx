import { Failure } from './failure.js';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Ignores a second submit while one is in progress. */
export function Form({
  submit,
  action,
  locked,
  children,
}: {
  submit: (fields: Record<string, string>) => Promise<unknown>;
  action: string;
  /** Why nothing can be sent. */
  locked?: string;
  children: ComponentChildren;
}) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy || locked !== undefined) return;
    const given = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)) as Record<string, string>;
    setIsBusy(true);
    setError(null);
    submit(given)
      .catch(setError)
      .finally(() => setIsBusy(false));
  };
  return (
    <form class="stack" onSubmit={onSubmit}>
      {children}
      <Failure error={error} />
      {locked !== undefined && <p class="soft">{locked}</p>}
      <div>
        <button class="primary" type="submit" aria-disabled={isBusy || locked !== undefined}>
          {isBusy ? 'One moment …' : action}
        </button>
      </div>
    </form>
  );
}

export function Field({ label, hint, children }: { label: string; hint?: string; children: ComponentChildren }) {
  return (
    <label>
      <span>{label}</span>
      {children}
      {hint && <small class="hint">{hint}</small>}
    </label>
  );
}
