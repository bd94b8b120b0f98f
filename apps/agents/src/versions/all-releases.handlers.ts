import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, releases } from '@signalbox/contracts';
import type { Filter } from '@signalbox/database';
import { AgentReleases } from './releases.repository.js';

type C = typeof releases;

/** The releases of all versioned resources; agents are the only such resource so far. */
@Serves(releases)
export class AllReleasesHandlers implements Handlers<C> {
  constructor(private readonly releases: AgentReleases) {}

  listAllReleases({ input: { parent_type, parent_id, ...query }, caller }: CallTo<C, 'listAllReleases'>) {
    const filters: Filter[] = [];
    if (parent_type !== undefined) filters.push({ sql: `'agent' = ANY(?::text[])`, value: parent_type });
    if (parent_id !== undefined) filters.push({ sql: 't.agent_id = ?', value: parent_id });
    return this.releases.listAll(caller.companyId, { ...query, filters });
  }
}
