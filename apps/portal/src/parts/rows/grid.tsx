import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type KeyHint, useKeyHints } from '../keys.js';
import type { Selection } from './selection.js';
import type { View } from './view.js';

export interface Column<T> {
  title: string;
  width: string;
  cell: (row: T) => ComponentChildren;
  isNumber?: boolean;
  isMinor?: boolean;
}

export interface RowActions<T> {
  /** Enter, and a click without `peek`. */
  open: (row: T) => void;
  /** Space, and a click: shows a row in a panel, which follows the cursor, or closes it. Without it Space opens. */
  peek?: { isOpen: boolean; show: (row: T | null) => void };
  selection?: Selection<T>;
  /** Get the row of the cursor and return the row to move to. `hints` are for the help. */
  keys?: Record<string, (at: number) => number | undefined>;
  hints?: readonly KeyHint[];
}

interface Props<T> extends RowActions<T> {
  label: string;
  columns: Column<T>[];
  total: number;
  view: View;
  from: number;
  to: number;
  /** Undefined while it is not loaded. */
  rowAt: (n: number) => T | undefined;
  keyOf: (row: T) => string;
  /** The cursor returns to the first row when this changes. */
  resetOn?: string;
  /** The cursor moves when this is another object. */
  moveTo?: { line: number } | undefined;
}

const PAGE_ROWS = 15;
/** Between columns, and on both sides of a row. */
const [GAP, PADDING] = [16, 12];
const CHECK = 20;

/** Minimum width of a track in pixels; a larger share holds more words. */
function leastOf(width: string): number {
  const [, pixels] = /(\d+)px/.exec(width) ?? [];
  return pixels === undefined ? (parseFloat(width) > 1 ? 160 : 100) : Number(pixels);
}

export function Grid<T>(props: Props<T>) {
  const { label, total, view, from, to, rowAt, keyOf, selection, peek, open, resetOn = '', moveTo } = props;
  const id = useId();
  useKeyHints([
    ['J K ↓ ↑', 'next and previous row'],
    ['Home End', 'first and last row'],
    peek ? ['Enter', 'open the row'] : ['Enter Space', 'open the row'],
    ...(peek ? [['Space', 'show the row next to the list'] as const] : []),
    ...(selection ? [['X', 'choose the row'] as const, ['Shift with a move', 'choose several'] as const] : []),
    ...(props.hints ?? []),
  ]);
  const [at, setCursor] = useState(0);
  const cursor = Math.min(at, total - 1);
  const anchor = useRef(0);
  // Before a key can move the cursor.
  useLayoutEffect(() => {
    setCursor(0);
    anchor.current = 0;
    if (view.box.current) view.box.current.scrollTop = 0;
  }, [resetOn]);
  useLayoutEffect(() => view.reveal(cursor), [cursor]);
  useLayoutEffect(() => {
    if (moveTo === undefined) return;
    setCursor(moveTo.line);
    view.reveal(moveTo.line);
  }, [moveTo]);

  const rowsBetween = (a: number, b: number): T[] => {
    const rows = [];
    for (let n = Math.min(a, b); n <= Math.max(a, b); n++) rows.push(rowAt(n));
    return rows.filter((row): row is T => row !== undefined);
  };

  function move(next: number, extend: boolean): void {
    const target = Math.max(0, Math.min(total - 1, next));
    setCursor(target);
    if (extend && selection) selection.add(rowsBetween(anchor.current, target));
    else anchor.current = target;
    const row = rowAt(target);
    if (peek?.isOpen && row !== undefined) peek.show(row);
  }

  function act(key: string, row: T): boolean {
    if (key === 'Enter') open(row);
    else if (key === ' ' && !peek) open(row);
    else if (key === ' ' && peek) peek.show(peek.isOpen ? null : row);
    else if (key === 'x' && selection) selection.toggle(row);
    else return false;
    return true;
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const moves: Record<string, number> = {
      j: cursor + 1,
      ArrowDown: cursor + 1,
      k: cursor - 1,
      ArrowUp: cursor - 1,
      PageDown: cursor + PAGE_ROWS,
      PageUp: cursor - PAGE_ROWS,
      Home: 0,
      End: total - 1,
    };
    const row = rowAt(cursor);
    const own = props.keys?.[key];
    if (key in moves) move(moves[key] ?? 0, event.shiftKey);
    else if (own) setCursor(own(cursor) ?? cursor);
    else if (key === 'Escape' && peek?.isOpen) peek.show(null);
    else if (row === undefined || !act(key, row)) return;
    event.preventDefault();
  }

  function onClick(event: MouseEvent, n: number, row: T | undefined): void {
    if (event.target instanceof Element && event.target.closest('a, button') !== null) return setCursor(n);
    const isChoice = event.target instanceof Element && event.target.closest('.check') !== null;
    setCursor(n);
    if (row === undefined) return;
    if (selection && event.shiftKey) selection.add(rowsBetween(anchor.current, n));
    else {
      anchor.current = n;
      if (selection && (isChoice || event.ctrlKey || event.metaKey)) selection.toggle(row);
      else if (peek) peek.show(row);
      else open(row);
    }
    view.box.current?.focus({ preventScroll: true });
  }

  const columns = props.columns.filter(({ isMinor }) => !(isMinor && peek?.isOpen));
  const widths = [...(selection ? [`${CHECK}px`] : []), ...columns.map(({ width }) => width)];
  const least = widths.reduce((sum, width) => sum + leastOf(width) + GAP, 2 * PADDING - GAP);
  const template = { gridTemplateColumns: widths.join(' ') };
  const shown = [];
  for (let n = from; n < to; n++) shown.push(n);
  return (
    <div
      class="rows"
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-multiselectable={selection ? true : undefined}
      tabIndex={0}
      ref={view.box}
      onKeyDown={onKeyDown}
      onScroll={view.onScroll}
      aria-activedescendant={cursor >= from && cursor < to ? `${id}-${cursor}` : undefined}
    >
      <div class="header" role="row" aria-rowindex={1} style={{ ...template, minWidth: `${least}px` }}>
        {selection && (
          <span role="columnheader">
            <span class="visually-hidden">Chosen</span>
          </span>
        )}
        {columns.map(({ title, isNumber }) => (
          <span role="columnheader" class={isNumber ? 'number' : ''} key={title}>
            {title}
          </span>
        ))}
      </div>
      <div class="space" role="rowgroup" style={{ height: `${total * view.rowHeight}px`, minWidth: `${least}px` }}>
        {shown.map((n) => {
          const row = rowAt(n);
          const isChosen = row !== undefined && selection?.chosen.has(keyOf(row));
          return (
            <div
              key={n}
              id={`${id}-${n}`}
              class={`row ${n === cursor ? 'cursor' : ''}`}
              role="row"
              aria-rowindex={n + 2}
              aria-selected={selection ? isChosen : n === cursor}
              style={{ ...template, top: `${n * view.rowHeight}px` }}
              onMouseDown={(event) => event.shiftKey && event.preventDefault()}
              onClick={(event) => onClick(event, n, row)}
            >
              {selection && (
                <span role="gridcell" class="check">
                  <span class="box" aria-hidden="true">
                    {isChosen ? '✓' : ''}
                  </span>
                </span>
              )}
              {columns.map(({ title, cell, isNumber }) => (
                <span role="gridcell" class={isNumber ? 'number' : ''} key={title}>
                  {row === undefined ? '…' : cell(row)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
