import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

const STORED = 'signalbox.panel';
const NARROWEST = 360;
const WIDEST = 560;
const STEP = 20;

const clamped = (width: number): number => Math.max(NARROWEST, Math.min(WIDEST, Math.round(width)));
const storedWidth = (): number => clamped(Number(localStorage.getItem(STORED)) || 440);

/**
 * A resizable panel. It does not take the focus, so that the keys of a list still work; Escape inside closes it and
 * restores the focus.
 */
export function SidePanel({
  title,
  close,
  children,
}: {
  title: string;
  close: () => void;
  children: ComponentChildren;
}) {
  const [width, setWidth] = useState(storedWidth);
  const opener = useRef<Element | null>(null);
  const id = useId();
  useLayoutEffect(() => void (opener.current = document.activeElement), []);

  function resize(to: number): void {
    setWidth(clamped(to));
    localStorage.setItem(STORED, String(clamped(to)));
  }
  function onFocusIn({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!(currentTarget instanceof Element) || !(relatedTarget instanceof Element)) return;
    if (!currentTarget.contains(relatedTarget)) opener.current = relatedTarget;
  }
  function leave(): void {
    close();
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  }
  function onHandleKey(event: KeyboardEvent): void {
    const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(width + step);
  }
  function onDrag(event: PointerEvent): void {
    if (event.buttons === 0 || !(event.currentTarget instanceof HTMLElement)) return;
    const panel = event.currentTarget.parentElement;
    if (panel) resize(panel.getBoundingClientRect().right - event.clientX);
  }
  return (
    <aside
      class="panel"
      aria-labelledby={id}
      style={{ '--panel-width': `${width}px` }}
      onFocusIn={onFocusIn}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        leave();
      }}
    >
      <div
        class="handle"
        role="separator"
        aria-label="Width of the panel"
        aria-orientation="vertical"
        aria-valuemin={NARROWEST}
        aria-valuemax={WIDEST}
        aria-valuenow={width}
        tabIndex={0}
        onKeyDown={onHandleKey}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onDrag}
      />
      <div class="inside" tabIndex={0} role="group" aria-labelledby={id}>
        <div class="head">
          <h2 id={id}>{title}</h2>
          <button class="plain" aria-label="Close the panel" onClick={leave}>
            ✕
          </button>
        </div>
        {children}
      </div>
    </aside>
  );
}
