import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useQuery } from '@tanstack/preact-query';
import { Loading, Problem } from './empty.js';

export function Loaded<T>({
  name,
  load,
  pollMs = false,
  keeps = false,
  children,
}: {
  name: readonly unknown[];
  load: (signal: AbortSignal) => PromiseLike<T>;
  pollMs?: number | false | ((data: T | undefined) => number | false);
  /** Shows the old data while that of another name is being loaded. */
  keeps?: boolean;
  children: (data: T, reload: () => void) => ComponentChildren;
}) {
  const query = useQuery({
    queryKey: name,
    queryFn: async ({ signal }) => await load(signal),
    refetchInterval: typeof pollMs === 'function' ? ({ state }) => pollMs(state.data) : pollMs,
  });
  const reload = (): void => void query.refetch();
  const last = useRef(query.data);
  if (query.data !== undefined) last.current = query.data;
  const data = keeps && !query.error ? last.current : query.data;
  if (data !== undefined) return <>{children(data, reload)}</>;
  return query.error ? <Problem error={query.error} retry={reload} /> : <Loading />;
}
