import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { type ApiError, conflict } from '../../errors.js';
import { Count, Id, List, OneOf } from '../../fields/fields.js';
import { intType } from '../../fields/field-types.js';
import { TARGET_TYPES, type TargetType } from './monitor-targets.js';
import { listGatedReleases } from '../../versions/releases.js';
import { FamilyRelease, ListFamilyReleases } from '../releases.js';
import { WorkflowPath } from '../workflows/workflow-path.js';

class WatchedResource {
  @OneOf(TARGET_TYPES) target_type!: TargetType;
  @Id() target_id!: number;
}
/** The first monitors that watch a resource, and their total number. */
export class WatchingMonitors {
  @List(intType()) monitor_ids!: number[];
  @Count() total!: number;
}

/** 409 for the deletion of a resource that monitors watch. */
export const watchedConflict = (resource: string, { monitor_ids, total }: WatchingMonitors): ApiError =>
  conflict(
    `the ${resource} is a target of ${total === 1 ? 'monitor' : `${total} monitors:`} ${monitor_ids.join(', ')}${total > monitor_ids.length ? ' and more' : ''}`,
    monitor_ids.map((id) => ({ field: 'monitor_id', message: `monitor ${id} watches the ${resource}` })),
  );

/** Internal: references between monitors and the resources of other services. */
export const monitorLinks = defineContract(
  { name: 'monitor-links', service: 'monitors', tag: 'Internal' },
  {
    listWatchingMonitors: {
      summary: 'List the first monitors with a target that is the resource',
      input: WatchedResource,
      output: WatchingMonitors,
    },
    listRunningMonitors: {
      summary: 'List the first monitors whose draft runs a workflow',
      input: WorkflowPath,
      output: WatchingMonitors,
    },
    listReleases: {
      summary: 'List the releases of all monitors',
      input: ListFamilyReleases,
      output: page(FamilyRelease),
    },
    listGatedReleases,
  },
);
