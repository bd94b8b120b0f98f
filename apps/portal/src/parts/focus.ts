/** As `ref` of what appears in an open dialog: it gets the focus when it appears. */
export const focusOf = (element: HTMLElement | null): void => element?.focus();
