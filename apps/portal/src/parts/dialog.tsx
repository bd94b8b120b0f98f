import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

/** A modal dialog; Escape closes it, and the focus returns to what opened it. */
export function Dialog({
  title,
  close,
  canClose = () => true,
  children,
}: {
  title: string;
  close: () => void;
  /** Asked when the user wants to leave it. */
  canClose?: () => boolean;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  const id = useId();
  // Before the next key arrives, which is meant for the dialog.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      isGone.current = true;
      // While a modal dialog is open, nothing outside of it takes the focus.
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
        // A dialog that the browser closes says so later: what its owner has opened meanwhile would be closed by that.
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
