import { useLayoutEffect, useRef } from 'preact/hooks';

export type KeyHint = readonly [keys: string, does: string];

const shown = new Map<symbol, readonly KeyHint[]>();

export const keysInView = (): KeyHint[] => [
  ...new Map([...shown.values()].flat().map((hint) => [hint.join(), hint])).values(),
];

/** Listed in the help while the component is mounted. */
export function useKeyHints(hints: readonly KeyHint[]): void {
  useLayoutEffect(() => {
    const id = Symbol();
    shown.set(id, hints);
    return () => void shown.delete(id);
  }, [JSON.stringify(hints)]);
}

/** Inputs for text: not a checkbox. */
const FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select';

/** Also within a shadow root. */
export const isTyping = (event: KeyboardEvent): boolean => {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS));
};

/** A plain key that no field, dialog or other handler uses. */
export const isForPage = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !isTyping(event) &&
  document.querySelector('dialog[open]') === null;

/** Work wherever the focus is in the page; listed in the help. */
export function usePageKeys(keys: Record<string, { does: string; act: () => void }>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useKeyHints(Object.entries(keys).map(([key, { does }]): KeyHint => [key.toUpperCase(), does]));
  // Before paint: a key may come as soon as the page is visible.
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
