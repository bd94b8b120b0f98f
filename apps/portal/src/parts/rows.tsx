import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useQueries, useQueryClient } from '@tanstack/preact-query';
import { problemOf } from '../api/problems.js';
import { useRefresh } from '../api/refresh.js';
import { count } from '../rules/formats.js';
import { windowOf } from '../rules/window.js';
import { Loading, Problem } from './empty.js';
import { type Column, Grid, type RowActions } from './rows/grid.js';
import type { Page } from './rows/page.js';
import { useNews } from './rows/use-news.js';
import { useView } from './rows/view.js';

export type { Column } from './rows/grid.js';
export type { Page } from './rows/page.js';

const PAGE = 100;

interface Props<T> extends RowActions<T> {
  label: string;
  name: readonly unknown[];
  columns: Column<T>[];
  load: (offset: number, limit: number, signal: AbortSignal) => PromiseLike<Page<T>>;
  empty: ComponentChildren;
  keyOf?: (row: T) => string;
  /** Polls for changes; `newest` when new rows appear at the top. */
  live?: 'newest' | 'any';
  actions?: ComponentChildren;
}

const idOf = (row: unknown): string => String((row as { id?: unknown }).id);

/** A window over a list of any length: only visible rows are loaded and drawn, keys move through all. */
export function Rows<T>({ label, name, columns, load, empty, keyOf = idOf, live, actions, ...doing }: Props<T>) {
  const view = useView();
  const cache = useQueryClient();
  const { ms } = useRefresh();
  const [counted, setCounted] = useState<{ key: string; total: number } | null>(null);
  // The list keeps its length until new filters are answered.
  const total = counted?.total ?? null;
  const { from, to, pages } = windowOf(view.top, view.height, view.rowHeight, total ?? 0, PAGE);
  const queries = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...name, page],
      queryFn: async ({ signal }: { signal: AbortSignal }) => await load(page * PAGE, PAGE, signal),
      // Rows must not move when the window gets the focus.
      refetchOnWindowFocus: false,
    })),
  });
  const key = JSON.stringify(name);
  const known = queries.find(({ data }) => data)?.data?.pagination.total;
  useEffect(() => {
    if (known !== undefined) setCounted({ key, total: known });
  }, [key, known]);
  const news = useNews<T>({
    name,
    keyOf,
    isNewestFirst: live === 'newest',
    pollMs: live === undefined || total === null ? false : ms,
    load: async (signal) => await load(0, PAGE, signal),
  });

  useEffect(() => {
    // Nothing can move in an empty list.
    if (total === 0 && news.hasChanged) news.show();
  }, [total, news.hasChanged]);

  const failed = queries.find(({ error, data }) => error && !data);
  if (failed && known === undefined) return <Problem error={failed.error} retry={() => void failed.refetch()} />;
  if (total === null || (total === 0 && counted?.key !== key)) return <Loading />;

  const pageOf = (n: number): Page<T> | undefined =>
    queries[pages.indexOf(n)]?.data ?? cache.getQueryData<Page<T>>([...name, n]);
  const rowAt = (n: number): T | undefined => {
    const row = pageOf(Math.floor(n / PAGE))?.data[n % PAGE];
    return row === undefined ? undefined : (news.fresh.get(keyOf(row)) ?? row);
  };
  const show = (): void => {
    if (view.box.current) view.box.current.scrollTop = 0;
    news.show();
  };
  return (
    <div class="stack">
      <div class="list-head">
        <span class="soft" role="status">
          {count(total)} {total === 1 ? 'row' : 'rows'}
          {news.problem !== null && `. The list may be out of date. ${problemOf(news.problem)}`}
        </span>
        {news.hasChanged && (
          <button class="pill" onClick={show}>
            {news.count > 0 ? `${news.count === PAGE ? '100 or more' : news.count} new` : 'The list has changed'}
          </button>
        )}
        {actions}
      </div>
      {failed && <Problem error={failed.error} retry={() => void failed.refetch()} />}
      {total === 0 ? (
        empty
      ) : (
        <Grid
          label={label}
          columns={columns}
          total={total}
          view={view}
          from={from}
          to={to}
          rowAt={rowAt}
          keyOf={keyOf}
          resetOn={key}
          {...doing}
        />
      )}
    </div>
  );
}
