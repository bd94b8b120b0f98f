import { useLayoutEffect, useRef } from 'preact/hooks';

/** A key, or several that belong together, and what it does. */
export type KeyHint = readonly [keys: string, does: string];

const shown = new Map<symbol, readonly KeyHint[]>();

/** The keys of what is in view, each once. */
export const keysInView = (): KeyHint[] => [
  ...new Map([...shown.values()].flat().map((hint) => [hint.join(), hint])).values(),
];

/** Lists keys in the help while this is in view. */
export function useKeyHints(hints: readonly KeyHint[]): void {
  useLayoutEffect(() => {
    const id = Symbol();
    shown.set(id, hints);
    return () => void shown.delete(id);
  }, [JSON.stringify(hints)]);
}

/** What takes letters: a checkbox does not. */
const FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select';

/** Whether a key is meant for a field, also for one within a shadow root. */
export const isTyping = (event: KeyboardEvent): boolean => {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS));
};

/** Whether a key without others is meant for the page: not for a field, a dialog, or what has acted on it. */
export const isForPage = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !isTyping(event) &&
  document.querySelector('dialog[open]') === null;

/** Keys that act wherever the focus is in the page; the help lists them. */
export function usePageKeys(keys: Record<string, { does: string; act: () => void }>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useKeyHints(Object.entries(keys).map(([key, { does }]): KeyHint => [key.toUpperCase(), does]));
  // Before the page is painted: a key may come as soon as it is in view.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isForPage(event)) return;
      const key = latest.current[event.key.toLowerCase()];
      if (!key) return;
      event.preventDefault();
      key.act();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
