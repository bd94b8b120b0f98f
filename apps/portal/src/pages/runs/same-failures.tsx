import type { Task } from '@signalbox/sdk';
import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { usePortal } from '../../api/portal.js';
import { inputOf } from '../../rules/filters.js';
import { count } from '../../rules/formats.js';
import { TASK_FILTERS } from './families.js';

export function SameFailures({ task: { id, failure_class, error_code } }: { task: Task }) {
  const { api } = usePortal();
  const params = new URLSearchParams({
    status: 'FAILED',
    since: '1h',
    ...(failure_class ? { failure_class } : {}),
    ...(error_code ? { error_code } : {}),
  });
  const { data } = useQuery({
    queryKey: ['tasks', 'failed in the same way', failure_class, error_code],
    queryFn: async ({ signal }) =>
      await api.agents.listAllTasks({ ...inputOf(TASK_FILTERS, params, Date.now()), limit: 1 }, { signal }),
  });
  if (!data) return null;
  const isOnly = data.pagination.total === 1 && data.data[0]?.id === id;
  if (data.pagination.total === 0 || isOnly) return null;
  return (
    <p>
      <Link href={`/runs?${params.toString()}`}>
        {count(data.pagination.total)} {data.pagination.total === 1 ? 'run' : 'runs'} failed in this way within an hour
      </Link>
    </p>
  );
}
