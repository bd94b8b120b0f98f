import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  join,
  List,
  ListOf,
  Name,
  Nested,
  Nullable,
  Num,
  Obj,
  OneOf,
  Optional,
  partial,
  SemVer,
  Slug,
  Str,
} from '../../fields/fields.js';
import { oneOfType } from '../../fields/field-types.js';
import { Checked } from '../../fields/checks.js';
import { Deleted, ListQuery } from '../../shapes.js';
import { versionEndpoints, versionWord } from '../../versions/versions.js';
import { emptyMonitorConfig, MonitorConfig } from './monitor-config.js';
import { MONITOR_STATUSES, MonitorPath, type MonitorStatus } from './monitor-path.js';
import { MonitorTarget, TARGET_TYPES, type TargetType } from './monitor-targets.js';

export const ALERT_METRICS = ['fault_rate', 'error_rate', 'consecutive_faults'] as const;
export type AlertMetric = (typeof ALERT_METRICS)[number];

/** When an alert of a monitor opens (docs/api/README.md). */
@Checked<AlertRule>(({ metric, threshold }) =>
  metric === 'consecutive_faults'
    ? Number.isInteger(threshold) && threshold >= 1
      ? undefined
      : { field: 'threshold', message: 'must be an integer of at least 1 for consecutive_faults' }
    : threshold <= 1
      ? undefined
      : { field: 'threshold', message: `must be at most 1 for ${metric}` },
)
export class AlertRule {
  @OneOf(ALERT_METRICS) metric!: AlertMetric;
  @Num(0, 10_000) @Description('A share from 0 to 1, or a number of faults in a row') threshold!: number;
  @Int(60_000, 2_592_000_000) @Default(3_600_000) window_ms!: number;
  @Int(1, 100_000) @Default(1) min_runs!: number;
}

class MonitorBody {
  @Name() name!: string;
  @Str() @Default('') description!: string;
  @Nested(() => MonitorConfig) @Default(emptyMonitorConfig) config!: MonitorConfig;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
  @ListOf(() => AlertRule, 0, 10) @Default(() => []) alert_rules!: AlertRule[];
  @field(versionWord)
  @Nullable()
  @Optional()
  @Description('A published version that judges the same samples; its verdicts count nowhere')
  shadow_version?: string | null;
}

/** A monitor as lists show it. */
export class MonitorSummary {
  @Id() id!: number;
  @Name() name!: string;
  @Str() description!: string;
  @OneOf(MONITOR_STATUSES) status!: MonitorStatus;
  @Count() target_count!: number;
  @Flag() @Description('ACTIVE, with an enabled target and a published version') active!: boolean;
  @Flag() has_unpublished_changes!: boolean;
  @SemVer() @Nullable() latest_version_number!: string | null;
  @Epoch() @Nullable() last_run_at!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}
export class Monitor extends MonitorSummary {
  @Nested(() => MonitorConfig) config!: MonitorConfig;
  @Obj() meta!: Record<string, unknown>;
  @ListOf(() => AlertRule, 0, 10) alert_rules!: AlertRule[];
  @SemVer() @Nullable() shadow_version!: string | null;
  @Slug() @Nullable() default_release!: string | null;
  @ListOf(() => MonitorTarget, 0, 100_000) @Optional() targets?: MonitorTarget[];
}

class ListMonitors extends ListQuery {
  @List(oneOfType(MONITOR_STATUSES), 1) @Optional() status?: MonitorStatus[];
  @List(oneOfType(TARGET_TYPES), 1) @Optional() target_type?: TargetType[];
}
class GetMonitor extends MonitorPath {
  @Flag() @Default(true) include_targets!: boolean;
}
class ValidateMonitor extends MonitorPath {
  @Obj() @Optional() @Description('Checked in place of the draft') config?: Record<string, unknown>;
}
class MonitorProblem {
  @Str() field!: string;
  @Str(0, 4000) message!: string;
}
export class MonitorValidation {
  @Flag() valid!: boolean;
  @ListOf(() => MonitorProblem) errors!: MonitorProblem[];
}

const one = '/monitors/{monitor_id}' as const;

/** Monitors (docs/api/monitors.md). */
export const monitors = defineContract(
  { name: 'monitors', service: 'monitors', tag: 'Monitors' },
  {
    listMonitors: { get: '/monitors', summary: 'List the monitors', input: ListMonitors, output: page(MonitorSummary) },
    createMonitor: {
      post: '/monitors',
      summary: 'Create a monitor as a draft',
      errors: ['not_found', 'conflict', 'refused'],
      input: MonitorBody,
      output: Monitor,
    },
    getMonitor: {
      get: one,
      summary: 'Get a monitor with its targets',
      input: GetMonitor,
      output: Monitor,
      delivery: {
        batchable: 'monitor_id',
        unbatchedWhen: { field: 'include_targets', value: false, endpoint: 'getMonitorWithoutTargets' },
      },
    },
    getMonitorWithoutTargets: { summary: 'Get a monitor without its targets', input: GetMonitor, output: Monitor },
    updateMonitor: {
      put: one,
      summary: 'Change the draft of a monitor',
      errors: ['conflict', 'refused'],
      input: join(MonitorPath, partial(MonitorBody)),
      output: Monitor,
    },
    deleteMonitor: { delete: one, summary: 'Delete a monitor with its targets', input: MonitorPath, output: Deleted },
    activateMonitor: {
      put: `${one}/activate`,
      summary: 'Start judging production traffic with the published version',
      errors: ['conflict'],
      input: MonitorPath,
      output: Monitor,
      http: { exactMethod: true },
    },
    pauseMonitor: {
      put: `${one}/pause`,
      summary: 'Stop judging production traffic',
      errors: ['conflict'],
      input: MonitorPath,
      output: Monitor,
      http: { exactMethod: true },
    },
    validateMonitor: {
      post: `${one}/validate`,
      summary: 'Check whether a configuration can judge',
      scope: 'read',
      input: ValidateMonitor,
      output: MonitorValidation,
    },
  },
);

export class MonitorVersion {
  @Id() id!: number;
  @Id() monitor_id!: number;
  @SemVer() version_number!: string;
  @Flag() is_latest!: boolean;
  @Str(0, 2000) version_notes!: string;
  @Epoch() date_created!: number;
  @Obj() @Optional() snapshot?: Record<string, unknown>;
}

/** Versions and releases of monitors (docs/api/versions-and-releases.md). */
export const monitorVersions = defineContract(
  { name: 'monitor-versions', service: 'monitors', tag: 'Monitors' },
  versionEndpoints({ root: one, path: MonitorPath, version: MonitorVersion, resource: Monitor, noun: 'monitor' }),
);
