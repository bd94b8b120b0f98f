import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keepPreviousData, useQueries } from '@tanstack/preact-query';
import { windowOf } from '../rules/window.js';
import { Loading, Problem } from './empty.js';

const PAGE = 100;

/** One page of a list of the API. */
export interface Page<T> {
  data: T[];
  pagination: { total: number };
}

export interface Column<T> {
  title: string;
  /** A track of the grid, such as `1fr` or `90px`. */
  width: string;
  cell: (row: T) => ComponentChildren;
  isNumber?: boolean;
}

interface Props<T> {
  label: string;
  name: readonly unknown[];
  columns: Column<T>[];
  load: (offset: number, limit: number, signal: AbortSignal) => PromiseLike<Page<T>>;
  open: (row: T) => void;
  empty: ComponentChildren;
  pollMs?: number | false;
}

/** A window over a list of any length: what is seen is loaded and drawn, keys move through all of it. */
export function Rows<T>({ label, name, columns, load, open, empty, pollMs = false }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: 640 });
  const [selected, setSelected] = useState(0);
  const [total, setTotal] = useState<number | null>(null);
  const rowHeight = document.documentElement.dataset.density === 'compact' ? 28 : 36;
  const { from, to, pages } = windowOf(scroll.top, scroll.height, rowHeight, total ?? 0, PAGE);
  const queries = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...name, page],
      queryFn: async ({ signal }: { signal: AbortSignal }) => await load(page * PAGE, PAGE, signal),
      // Only the top of a list is read again: nothing moves under the cursor further down.
      refetchInterval: page === 0 && scroll.top === 0 ? pollMs : (false as const),
      placeholderData: keepPreviousData,
    })),
  });
  const known = queries.find(({ data, isPlaceholderData }) => data && !isPlaceholderData)?.data?.pagination.total;
  useEffect(() => {
    if (known !== undefined) setTotal(known);
  }, [known]);
  useEffect(() => {
    setSelected(0);
    if (box.current) box.current.scrollTop = 0;
  }, [JSON.stringify(name)]);

  const failed = queries.find(({ error, data }) => error && !data);
  if (failed && total === null) return <Problem error={failed.error} retry={() => void failed.refetch()} />;
  if (total === null) return <Loading />;
  if (total === 0) return <>{empty}</>;

  const rowAt = (n: number): T | undefined => queries[pages.indexOf(Math.floor(n / PAGE))]?.data?.data[n % PAGE];
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };

  function move(to: number): void {
    const next = Math.max(0, Math.min((total ?? 1) - 1, to));
    setSelected(next);
    const view = box.current;
    if (!view) return;
    const top = next * rowHeight;
    if (top < view.scrollTop) view.scrollTop = top;
    else if (top + 2 * rowHeight > view.scrollTop + view.clientHeight)
      view.scrollTop = top + 2 * rowHeight - view.clientHeight;
  }

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, number> = {
      j: selected + 1,
      ArrowDown: selected + 1,
      k: selected - 1,
      ArrowUp: selected - 1,
      PageDown: selected + 15,
      PageUp: selected - 15,
      Home: 0,
      End: (total ?? 1) - 1,
    };
    const target = moves[event.key];
    const row = rowAt(selected);
    if (target !== undefined) move(target);
    else if (event.key === 'Enter' && row) open(row);
    else return;
    event.preventDefault();
  }

  const shown = [];
  for (let n = from; n < to; n++) shown.push(n);
  return (
    <div class="stack">
      <p class="soft" role="status">
        {total.toLocaleString('en-US')} {total === 1 ? 'row' : 'rows'}
      </p>
      <div
        class="rows"
        role="grid"
        aria-label={label}
        aria-rowcount={total + 1}
        tabIndex={0}
        ref={box}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) =>
          setScroll({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
        }
        aria-activedescendant={`row-${selected}`}
      >
        <div class="header" role="row" aria-rowindex={1} style={template}>
          {columns.map(({ title, isNumber }) => (
            <span role="columnheader" class={isNumber ? 'number' : ''} key={title}>
              {title}
            </span>
          ))}
        </div>
        <div class="space" role="rowgroup" style={{ height: `${total * rowHeight}px` }}>
          {shown.map((n) => {
            const row = rowAt(n);
            return (
              <div
                key={n}
                id={`row-${n}`}
                class="row"
                role="row"
                aria-rowindex={n + 2}
                aria-selected={n === selected}
                style={{ ...template, top: `${n * rowHeight}px` }}
                onClick={() => {
                  setSelected(n);
                  if (row) open(row);
                }}
              >
                {columns.map(({ title, cell, isNumber }) => (
                  <span role="gridcell" class={isNumber ? 'number' : ''} key={title}>
                    {row ? cell(row) : '…'}
                  </span>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
