import { useQuery } from '@tanstack/preact-query';
import { usePortal } from './portal.js';

const FRESH_MS = 60_000;
const LIMIT = 100;

/** The names of the first hundred things of a kind, by their id; loaded once a minute at most. */
export function useNames(of: 'agents' | 'workflows' | 'applications'): ReadonlyMap<number, string> {
  const { api } = usePortal();
  const { data } = useQuery({
    queryKey: ['names', of],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, string>> => {
      const input = { limit: LIMIT };
      if (of === 'agents') {
        const { data: rows } = await api.agents.list(input, { signal });
        return new Map(rows.map(({ id, agent_name }) => [id, agent_name]));
      }
      if (of === 'workflows') {
        const { data: rows } = await api.workflows.list(input, { signal });
        return new Map(rows.map(({ id, workflow_name }) => [id, workflow_name]));
      }
      const { data: rows } = await api.applications.list(input, { signal });
      return new Map(rows.map(({ id, application_name }) => [id, application_name]));
    },
  });
  return data ?? NONE;
}
const NONE: ReadonlyMap<number, string> = new Map();
