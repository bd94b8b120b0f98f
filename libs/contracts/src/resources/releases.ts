import { defineContract } from '../contract.js';
import { page } from '../contract/outputs.js';
import { Epoch, Id, List, Optional } from '../fields/fields.js';
import { oneOfType } from '../fields/field-types.js';
import { ListQuery } from '../shapes.js';
import { RELEASE_PARENTS, ReleaseOverview } from '../versions/releases.js';

class ListAllReleases extends ListQuery {
  @List(oneOfType(RELEASE_PARENTS), 1) @Optional() parent_type?: (typeof RELEASE_PARENTS)[number][];
  @Id() @Optional() parent_id?: number;
}

/** A release as the service of its family lists it, with what the merged list is sorted by. */
export class FamilyRelease extends ReleaseOverview {
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}
export class ListFamilyReleases extends ListQuery {
  @Id() @Optional() parent_id?: number;
}

/**
 * The releases of all versioned resources (docs/api/README.md). Chosen: the agents service merges its own with those of the
 * other families (docs/decisions/031).
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
