import { type RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** As `ref` of what appears in an open dialog: it gets the focus when it appears. */
export const focusOf = (element: HTMLElement | null): void => element?.focus();

/** As `ref` of what may take the focus over: it does when the change of a value has removed what had it. */
export function useLostFocus<T extends HTMLElement>(value: unknown): RefObject<T> {
  const element = useRef<T>(null);
  const before = useRef(value);
  useLayoutEffect(() => {
    if (before.current !== value && document.activeElement === document.body) element.current?.focus();
    before.current = value;
  }, [value]);
  return element;
}
