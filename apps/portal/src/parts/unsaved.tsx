import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
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

/**
 * For a form that is made anew, by its key, for each version of what it edits: not while something that was typed is
 * unsaved, and leaving asks then.
 */
export function useTyped(version: number) {
  const [isTyped, setIsTyped] = useState(false);
  const shown = useRef(version);
  if (!isTyped) shown.current = version;
  const edits = useRef(0);
  useUnsaved(isTyped);
  return {
    key: shown.current,
    typed: (): void => {
      edits.current++;
      setIsTyped(true);
    },
    /** What is typed meanwhile stays unsaved. */
    saving: async (saved: Promise<unknown>): Promise<void> => {
      const sent = edits.current;
      await saved;
      if (edits.current === sent) setIsTyped(false);
    },
  };
}

type Go = () => void;
/** The navigation hook of the router. */
export type AroundNav = (
  go: (to: string, options?: { replace?: boolean }) => void,
  to: string,
  options?: { replace?: boolean },
) => void;

const mayLeave = (from: string, to: string): boolean => !unsaved.is || from === to;

/** Asks when a link is followed, and when the browser goes back or forward. */
export function LeaveGuard({ children }: { children: (around: AroundNav) => ComponentChildren }) {
  const [pending, setPending] = useState<Go | null>(null);
  const around: AroundNav = (go, to, options) => {
    if (mayLeave(location.pathname, to.split(/[?#]/)[0] ?? '')) go(to, options);
    else setPending(() => () => go(to, options));
  };
  useLayoutEffect(() => guardHistory((go) => setPending(() => go)), []);
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

const here = () => ({ key: navigation.currentEntry?.key ?? '', path: location.pathname });

async function traverse(key: string): Promise<void> {
  // Refused when the user has gone elsewhere meanwhile.
  await navigation.traverseTo(key).committed?.catch(() => undefined);
}

/**
 * The router has no means against `popstate`, which comes when the address has changed already: it does not hear of it,
 * and the address is put back before the question. Browsers before 2026 do not name the entries of the history; there
 * nothing is asked.
 */
function guardHistory(ask: (go: Go) => void): (() => void) | undefined {
  if (!('navigation' in window)) return;
  let shown = here();
  const onChange = ({ navigationType }: NavigationCurrentEntryChangeEvent): void => {
    if (navigationType !== 'traverse') shown = here();
  };
  const onPop = (event: PopStateEvent): void => {
    const next = here();
    if (mayLeave(shown.path, next.path)) return void (shown = next);
    event.stopImmediatePropagation();
    void traverse(shown.key).then(() => ask(() => void traverse(next.key)));
  };
  navigation.addEventListener('currententrychange', onChange);
  // Before the router, which does not capture.
  window.addEventListener('popstate', onPop, true);
  return () => {
    navigation.removeEventListener('currententrychange', onChange);
    window.removeEventListener('popstate', onPop, true);
  };
}
