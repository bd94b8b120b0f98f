import type { PagedList, Signalbox } from '@signalbox/sdk';
import { useQuery } from '@tanstack/preact-query';
import type { Named } from '../rules/filters.js';
import { usePortal } from './portal.js';

const FRESH_MS = 60_000;
/** Key of the queries. */
export const NAMES = ['names'];
const PAGE = { limit: 100 };

type Names = ReadonlyMap<number, string>;
type Load = (api: Signalbox, signal: AbortSignal) => Promise<Names>;

const named =
  <T extends { id: number }>(
    list: (api: Signalbox, signal: AbortSignal) => PagedList<T>,
    nameOf: (row: T) => string,
  ): Load =>
  async (api, signal) =>
    new Map((await list(api, signal).all()).map((row) => [row.id, nameOf(row)]));

const LISTS: Record<Named, Load> = {
  agents: named(
    (api, signal) => api.agents.list(PAGE, { signal }),
    ({ agent_name }) => agent_name,
  ),
  hostedAgents: named(
    (api, signal) => api.agents.list({ kind: ['HOSTED'], ...PAGE }, { signal }),
    ({ agent_name }) => agent_name,
  ),
  externalAgents: named(
    (api, signal) => api.agents.list({ kind: ['EXTERNAL'], ...PAGE }, { signal }),
    ({ agent_name }) => agent_name,
  ),
  workflows: named(
    (api, signal) => api.workflows.list(PAGE, { signal }),
    ({ workflow_name }) => workflow_name,
  ),
  applications: named(
    (api, signal) => api.applications.list(PAGE, { signal }),
    ({ application_name }) => application_name,
  ),
  intentGroups: named(
    (api, signal) => api.intentGroups.list(PAGE, { signal }),
    ({ intent_group_name }) => intent_group_name,
  ),
  providers: named(
    (api, signal) => api.models.listProviders(PAGE, { signal }),
    ({ provider_name }) => provider_name,
  ),
  tags: named(
    (api, signal) => api.tags.list(PAGE, { signal }),
    ({ tag_name }) => tag_name,
  ),
  tagRules: named(
    (api, signal) => api.tags.listRules(PAGE, { signal }),
    ({ rule_name }) => rule_name,
  ),
  datasets: named(
    (api, signal) => api.datasets.list(PAGE, { signal }),
    ({ dataset_name }) => dataset_name,
  ),
  compositions: named(
    (api, signal) => api.compositions.list(PAGE, { signal }),
    ({ composition_name }) => composition_name,
  ),
  testSets: named(
    (api, signal) => api.testSets.list(PAGE, { signal }),
    ({ name }) => name,
  ),
};

export const namesOf = (api: Signalbox, of: Named, signal: AbortSignal): Promise<Names> => LISTS[of](api, signal);

export function useNames(of: Named): Names {
  const { api } = usePortal();
  const { data } = useQuery({
    queryKey: [...NAMES, of],
    staleTime: FRESH_MS,
    queryFn: ({ signal }) => namesOf(api, of, signal),
  });
  return data ?? NONE;
}
const NONE: Names = new Map();
