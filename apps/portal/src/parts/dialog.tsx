import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** Modal; Escape closes it and returns the focus to what opened it. */
export function Dialog({
  title,
  close,
  canClose = () => true,
  children,
}: {
  title: string;
  close: () => void;
  canClose?: () => boolean;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  const id = useId();
  // Before the next key, which is meant for the dialog.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      isGone.current = true;
      // While a modal dialog is open, nothing outside takes the focus.
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const leave = (): void => void (canClose() && close());
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        // The browser's close event comes later, and would close what was opened meanwhile.
        event.preventDefault();
        leave();
      }}
      onClose={() => !isGone.current && close()}
    >
      <div class="stack">
        <div class="head">
          <h1 id={id}>{title}</h1>
          <button class="plain" aria-label="Close" onClick={leave}>
            ✕
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
