import { defineContract } from '../../contract.js';
import { list, page } from '../../contract/outputs.js';
import {
  Default,
  Epoch,
  Flag,
  Id,
  Int,
  join,
  List,
  Name,
  Nested,
  OneOf,
  Optional,
  partial,
  pick,
} from '../../fields/fields.js';
import { oneOfType } from '../../fields/field-types.js';
import { Deleted, ListQuery } from '../../shapes.js';
import { MONITOR_STATUSES, MonitorPath, type MonitorStatus } from './monitor-path.js';
import { switchEndpoints } from '../switch-endpoints.js';

export const TARGET_TYPES = ['intent', 'workflow', 'agent'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** A target attachment as the by-target lookup shows it. */
export class AttachedTarget {
  @Id() id!: number;
  @OneOf(TARGET_TYPES) target_type!: TargetType;
  @Id() target_id!: number;
  @Int(0, 100) sample_rate!: number;
  @Flag() enabled!: boolean;
}
/** A resource whose production traffic a monitor watches. */
export class MonitorTarget extends AttachedTarget {
  @Id() monitor_id!: number;
  @Name() target_name!: string;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

class TargetBody {
  @OneOf(TARGET_TYPES) target_type!: TargetType;
  @Id() target_id!: number;
  @Int(0, 100) @Default(100) sample_rate!: number;
  @Flag() @Default(true) enabled!: boolean;
}
class TargetPath extends MonitorPath {
  @Id() monitor_target_id!: number;
}
class ListTargets extends join(MonitorPath, ListQuery) {
  @List(oneOfType(TARGET_TYPES), 1) @Optional() target_type?: TargetType[];
  @Flag() @Optional() enabled?: boolean;
}
class ByTarget {
  @OneOf(TARGET_TYPES) target_type!: TargetType;
  @Id() target_id!: number;
  @Flag() @Default(false) enabled_only!: boolean;
}
class MonitorName {
  @Id() id!: number;
  @Name() name!: string;
  @OneOf(MONITOR_STATUSES) status!: MonitorStatus;
}
/** An active monitor and its attachment to a target. */
export class MonitorOfTarget {
  @Nested(() => MonitorName) monitor!: MonitorName;
  @Nested(() => AttachedTarget) monitor_target!: AttachedTarget;
}

const all = '/monitors/{monitor_id}/targets' as const;
const one = '/monitors/{monitor_id}/targets/{monitor_target_id}' as const;
const switched = switchEndpoints(one, TargetPath, MonitorTarget, {
  enable: 'Enable a target',
  disable: 'Disable a target; its traffic is no longer sampled',
});

/** The targets of monitors (docs/api/monitors.md). */
export const monitorTargets = defineContract(
  { name: 'monitor-targets', service: 'monitors', tag: 'Monitors' },
  {
    listMonitorTargets: {
      get: all,
      summary: 'List the targets of a monitor',
      input: ListTargets,
      output: page(MonitorTarget),
    },
    attachMonitorTarget: {
      post: all,
      summary: 'Attach a target to a monitor',
      errors: ['not_found', 'conflict'],
      input: join(MonitorPath, TargetBody),
      output: MonitorTarget,
    },
    getMonitorTarget: { get: one, summary: 'Get a target of a monitor', input: TargetPath, output: MonitorTarget },
    updateMonitorTarget: {
      put: one,
      summary: 'Change sample rate or state of a target',
      input: join(TargetPath, partial(pick(TargetBody, 'sample_rate', 'enabled'))),
      output: MonitorTarget,
    },
    detachMonitorTarget: {
      delete: one,
      summary: 'Detach a target from its monitor',
      input: TargetPath,
      output: Deleted,
    },
    enableMonitorTarget: switched.enable,
    disableMonitorTarget: switched.disable,
    listMonitorsByTarget: {
      get: '/monitors/by-target',
      summary: 'List the active monitors that are attached to a target',
      input: ByTarget,
      output: list(MonitorOfTarget),
    },
  },
);
