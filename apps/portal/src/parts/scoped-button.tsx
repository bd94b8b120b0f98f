import type { ComponentChildren } from 'preact';
import { usePortal } from '../api/portal.js';

/** Without the scope it stays visible and names the scope. */
export function ScopedButton({
  scope,
  kind = '',
  act,
  children,
}: {
  scope: string;
  kind?: '' | 'primary' | 'danger' | 'plain';
  act: () => void;
  children: ComponentChildren;
}) {
  const { can } = usePortal();
  const may = can(scope);
  return (
    <button
      type="button"
      class={kind}
      aria-disabled={!may}
      title={may ? undefined : `Needs a key with the scope ${scope}`}
      onClick={() => may && act()}
    >
      {children}
    </button>
  );
}
