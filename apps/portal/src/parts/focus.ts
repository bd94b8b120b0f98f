import { type RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** As `ref`: focuses an element when it appears in an open dialog. */
export const focusOf = (element: HTMLElement | null): void => element?.focus();

/** As `ref`: takes the focus when a change of `value` has removed the element that had it. */
export function useLostFocus<T extends HTMLElement>(value: unknown): RefObject<T> {
  const element = useRef<T>(null);
  const before = useRef(value);
  useLayoutEffect(() => {
    if (before.current !== value && document.activeElement === document.body) element.current?.focus();
    before.current = value;
  }, [value]);
  return element;
}
