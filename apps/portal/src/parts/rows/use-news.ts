import { useEffect, useState } from 'preact/hooks';
import { useQueryClient } from '@tanstack/preact-query';
import { type News, newsOf } from '../../rules/news.js';
import type { Page } from './page.js';

interface Options<T> {
  name: readonly unknown[];
  keyOf: (row: T) => string;
  isNewestFirst: boolean;
  pollMs: number | false;
  load: (signal: AbortSignal) => Promise<Page<T>>;
}

interface NewsOfList<T> extends News<T> {
  /** Why the last poll has failed; null after one that has not. */
  problem: unknown;
  show: () => void;
}

const NONE = { count: 0, hasChanged: false };

/**
 * Polls the first page of a list while the page is visible. Shown rows are updated in place; new ones are counted, and
 * shown on request, so that nothing moves under the cursor.
 */
export function useNews<T>({ name, keyOf, isNewestFirst, pollMs, load }: Options<T>): NewsOfList<T> {
  const cache = useQueryClient();
  const [problem, setProblem] = useState<unknown>(null);
  const [now, setNow] = useState<{ key: string; page: Page<T>; askedAt: number } | null>(null);
  const key = JSON.stringify(name);
  useEffect(() => {
    if (pollMs === false) return;
    const stop = new AbortController();
    const read = (): void => {
      if (document.visibilityState === 'hidden') return;
      const askedAt = Date.now();
      // A failed poll is repeated at the next interval.
      load(stop.signal).then(
        (page) => {
          setNow({ key, page, askedAt });
          setProblem(null);
        },
        (error: unknown) => {
          if (!stop.signal.aborted) setProblem(error);
        },
      );
    };
    const timer = setInterval(read, pollMs);
    return () => {
      clearInterval(timer);
      stop.abort();
      setProblem(null);
    };
  }, [key, pollMs]);

  const { data: shown, dataUpdatedAt = 0 } = cache.getQueryState<Page<T>>([...name, 0]) ?? {};
  // Rows that were loaded since are newer than the poll.
  const page = now?.key === key && now.askedAt >= dataUpdatedAt ? now.page : undefined;
  const news = shown && page ? newsOf(shown, page, keyOf, isNewestFirst) : { ...NONE, fresh: new Map<string, T>() };
  const show = (): void => {
    setNow(null);
    void cache.invalidateQueries({ queryKey: name });
  };
  return { ...news, problem, show };
}
