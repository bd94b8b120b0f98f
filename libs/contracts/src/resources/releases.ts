import { defineContract, page } from '../contract.js';
import { Id, List, Optional } from '../fields/fields.js';
import { oneOfType } from '../fields/field-types.js';
import { ListQuery } from '../shapes.js';
import { RELEASE_PARENTS, ReleaseOverview } from '../versions.js';

class ListAllReleases extends ListQuery {
  @List(oneOfType(RELEASE_PARENTS), 1) @Optional() parent_type?: (typeof RELEASE_PARENTS)[number][];
  @Id() @Optional() parent_id?: number;
}

/**
 * The releases of all versioned resources (api.md 3.8). Chosen: the agents service lists them, as the only family so
 * far.
 */
export const releases = defineContract(
  { name: 'releases', service: 'agents', tag: 'Releases' },
  {
    listAllReleases: {
      get: '/releases',
      summary: 'List the releases of all agents, workflows and monitors',
      input: ListAllReleases,
      output: page(ReleaseOverview),
    },
  },
);
