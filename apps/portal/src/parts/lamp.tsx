import { type Lamp as Kind, lampOf, lampOfEnd, wordOf } from '../rules/states.js';

/** A shape for each kind, so that colour is never the only sign. */
const SHAPES: Record<Kind, preact.JSX.Element> = {
  good: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  bad: <path d="M2.5 2.5l7 7m0-7l-7 7" stroke="currentColor" stroke-width="2" />,
  odd: <path d="M6 1.5l5 9H1z" fill="currentColor" />,
  wait: <path d="M3.5 2v8m5-8v8" stroke="currentColor" stroke-width="2.4" />,
  live: <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="18 9" />,
  off: <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" stroke-width="1.6" />,
};

export function Lamp({ state, failureClass }: { state: string; failureClass?: string | null }) {
  const kind = failureClass === undefined ? lampOf(state) : lampOfEnd(state, failureClass);
  return (
    <span class={`lamp ${kind}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {SHAPES[kind]}
      </svg>
      {wordOf(state, failureClass)}
    </span>
  );
}
