import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Dialog } from './dialog.js';

const unsaved = { is: false };

/** While true, leaving the page asks first. */
export function useUnsaved(isUnsaved: boolean): void {
  useLayoutEffect(() => {
    unsaved.is = isUnsaved;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    if (isUnsaved) window.addEventListener('beforeunload', ask);
    return () => {
      unsaved.is = false;
      window.removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved]);
}

type Go = () => void;
/** The navigation hook of the router. */
export type AroundNav = (
  go: (to: string, options?: { replace?: boolean }) => void,
  to: string,
  options?: { replace?: boolean },
) => void;

export function LeaveGuard({ children }: { children: (around: AroundNav) => ComponentChildren }) {
  const [pending, setPending] = useState<Go | null>(null);
  const around: AroundNav = (go, to, options) => {
    const stays = to.split(/[?#]/)[0] === location.pathname;
    if (!unsaved.is || stays) go(to, options);
    else setPending(() => () => go(to, options));
  };
  const leave = (): void => {
    unsaved.is = false;
    setPending(null);
    pending?.();
  };
  return (
    <>
      {children(around)}
      {pending && (
        <Dialog title="Leave with unsaved changes?" close={() => setPending(null)}>
          <p>What you have changed on this page is not saved.</p>
          <div class="head">
            <button class="primary" autofocus onClick={() => setPending(null)}>
              Stay
            </button>
            <button class="danger" onClick={leave}>
              Leave without saving
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
