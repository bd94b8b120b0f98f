import { useEffect, useState } from 'preact/hooks';
import { notifyManager, type Query, useQueryClient } from '@tanstack/preact-query';
import { problemOf } from '../api/problems.js';

/** It was loaded, and could not be loaded again. */
const isOutdated = ({ state }: Query): boolean => state.status === 'error' && state.data !== undefined;
const OUTDATED = { type: 'active', predicate: isOutdated } as const;

/** What could not be loaded again stays on the page, which looks as if it were still so. */
export function Outdated() {
  const client = useQueryClient();
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => {
    const cache = client.getQueryCache();
    const look = (): void => setProblem(cache.findAll(OUTDATED)[0]?.state.error ?? null);
    return cache.subscribe(notifyManager.batchCalls(look));
  }, [client]);
  return (
    <div role="status" class={problem === null ? '' : 'page'}>
      {problem !== null && (
        <p class="why wait">
          What is shown may be out of date. {problemOf(problem)}{' '}
          <button onClick={() => void client.refetchQueries(OUTDATED)}>Load again</button>
        </p>
      )}
    </div>
  );
}
