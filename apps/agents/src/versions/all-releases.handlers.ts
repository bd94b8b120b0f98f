import { BusClient, Serves } from '@signalbox/bus';
import {
  type Caller,
  type CallTo,
  type FamilyRelease,
  type Handlers,
  monitorLinks,
  type Page,
  RELEASE_PARENTS,
  type ReleaseOverview,
  releases,
  workflowLinks,
} from '@signalbox/contracts';
import { type FamilyPages, mergedReleases } from './merged-releases.js';
import { AgentReleases } from './releases.repository.js';

type C = typeof releases;
type Input = CallTo<C, 'listAllReleases'>['input'];

/** The releases of agents merged with those of the other services. */
@Serves(releases)
export class AllReleasesHandlers implements Handlers<C> {
  constructor(
    private readonly releases: AgentReleases,
    private readonly bus: BusClient,
  ) {}

  listAllReleases({ input, caller }: CallTo<C, 'listAllReleases'>): Promise<Page<ReleaseOverview>> {
    const { parent_type = RELEASE_PARENTS } = input;
    const families = [
      ...(parent_type.includes('agent') ? [this.ofAgents(input, caller)] : []),
      ...(parent_type.includes('workflow') ? [this.ofWorkflows(input, caller)] : []),
      ...(parent_type.includes('monitor') ? [this.ofMonitors(input, caller)] : []),
    ];
    return mergedReleases(families, input);
  }

  private ofAgents({ parent_id, search }: Input, { companyId }: Caller): FamilyPages {
    const filters = parent_id === undefined ? [] : [{ sql: 't.agent_id = ?', value: parent_id }];
    return async (page) => {
      const { text } = await this.releases.listFamily(companyId, { ...page, ...(search ? { search } : {}), filters });
      return JSON.parse(text) as Page<FamilyRelease>;
    };
  }

  private ofWorkflows(input: Input, caller: Caller): FamilyPages {
    return (page) => this.bus.call(workflowLinks.endpoints.listReleases, { ...page, ...narrowed(input) }, caller);
  }

  private ofMonitors(input: Input, caller: Caller): FamilyPages {
    return (page) => this.bus.call(monitorLinks.endpoints.listReleases, { ...page, ...narrowed(input) }, caller);
  }
}

const narrowed = ({ parent_id, search }: Input) => ({
  ...(parent_id === undefined ? {} : { parent_id }),
  ...(search ? { search } : {}),
});
