import type { ComponentChildren } from 'preact';
import { problemOf } from '../api/problems.js';

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="card empty">
      <p>{title}</p>
      {children}
    </div>
  );
}

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
