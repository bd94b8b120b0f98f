import type { ComponentChildren } from 'preact';
import { problemOf } from '../api/problems.js';

/** Nothing is here, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="card empty">
      <p>{title}</p>
      {children}
    </div>
  );
}

/** Something could not be loaded. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div class="card empty" role="alert">
      <p class="error">{problemOf(error)}</p>
      {retry && <button onClick={retry}>Try again</button>}
    </div>
  );
}

export const Loading = () => (
  <p class="soft" role="status">
    Loading …
  </p>
);
