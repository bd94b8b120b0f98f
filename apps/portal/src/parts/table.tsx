import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isTyping, type KeyHint, useKeyHints } from './keys.js';

interface TableProps {
  /** Read aloud where the table scrolls. */
  label: string;
  columns: readonly string[];
  /** Headings of numeric columns, aligned to the right. */
  numbers?: readonly string[];
  /** Equal widths, to align with the table above. */
  isEven?: boolean;
  /** The last column has buttons, and a heading for screen readers only. */
  actions?: boolean;
  children: ComponentChildren;
}

const HINTS: KeyHint[] = [
  ['J K', 'next and previous row of a table'],
  ['Enter Space', 'open or press what has the focus'],
];
const ACTIVE = 'a[href], button';

/** Moves to the first link or button of the next or previous row that has one. */
function onKeyDown(event: KeyboardEvent): void {
  const { currentTarget: table, target } = event;
  if (!(table instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
  if (!isForRows(event, table)) return;
  const rows = [...table.querySelectorAll('tbody tr')].filter((row) => row.querySelector(ACTIVE));
  const at = rows.findIndex((row) => row.contains(target));
  const key = event.key.toLowerCase();
  if (key === ' ' && target instanceof HTMLAnchorElement) target.click();
  else if (key === 'j') focusIn(rows[Math.min(at + 1, rows.length - 1)]);
  else if (key === 'k') focusIn(rows[Math.max(at - 1, 0)]);
  else return;
  event.preventDefault();
}
/** Within a dialog as well; not while typing. */
const isForRows = (event: KeyboardEvent, table: HTMLElement): boolean =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !isTyping(event) &&
  table.querySelector(ACTIVE) !== null;
const focusIn = (row: Element | undefined): void => row?.querySelector<HTMLElement>(ACTIVE)?.focus();

/** Scrolls sideways on a narrow screen, also by keyboard; J and K move between rows. */
export function Table({ label, columns, numbers = [], isEven = false, actions = false, children }: TableProps) {
  const box = useRef<HTMLDivElement>(null);
  const [hasRows, setHasRows] = useState(false);
  useEffect(() => setHasRows(box.current?.querySelector(`tbody :is(${ACTIVE})`) != null));
  useKeyHints(hasRows ? HINTS : []);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label} ref={box} onKeyDown={onKeyDown}>
      <table class={isEven ? 'even' : ''}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} class={numbers.includes(column) ? 'number' : ''}>
                {column}
              </th>
            ))}
            {actions && (
              <th>
                <span class="visually-hidden">What can be done</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
