import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

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
  useEffect(() => {
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
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => !canClose() && event.preventDefault()}
      onClose={() => !isGone.current && close()}
    >
      <div class="stack">
        <div class="head">
          <h1 id={id}>{title}</h1>
          <button class="plain" aria-label="Close" onClick={() => canClose() && element.current?.close()}>
            ✕
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
