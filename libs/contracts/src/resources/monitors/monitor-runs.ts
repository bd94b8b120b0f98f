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
  join,
  Json,
  List,
  ListOf,
  Nullable,
  Num,
  OneOf,
  Optional,
  SemVer,
  Str,
} from '../../fields/fields.js';
import { intType, oneOfType } from '../../fields/field-types.js';
import { FAILURE_CLASSES, type FailureClass, ListQuery, TimedListQuery } from '../../shapes.js';
import { versionWord } from '../../versions/versions.js';
import { JUDGED_OUTCOMES, RUNNER_TYPES, type RunnerType } from './monitor-config.js';
import { MonitorPath } from './monitor-path.js';
import { SOURCE_TYPES, type SourceType } from './source-payloads.js';

export const MONITOR_OUTCOMES = [...JUDGED_OUTCOMES, 'ERROR'] as const;
export type MonitorOutcome = (typeof MONITOR_OUTCOMES)[number];

/** What a condition read, and whether it held. */
export class TracedCondition {
  @Str(0, 500) id!: string;
  @Json() @Nullable() actual!: unknown;
  @Flag() result!: boolean;
}
/** One step of the resolution of an outcome. */
export class ResolutionStep {
  @OneOf(['fault', 'warning', 'default']) group!: 'fault' | 'warning' | 'default';
  @Flag() result!: boolean;
  @ListOf(() => TracedCondition, 0, 100_000) conditions!: TracedCondition[];
}

/** Ids of runs outgrow 32 bits within weeks of a thousand runs a second. */
const runIdType = intType(1, Number.MAX_SAFE_INTEGER);

/** A judgement of one production source, without its output. */
export class MonitorRunSummary {
  @field(runIdType) id!: number;
  @Id() monitor_id!: number;
  @Id() monitor_target_id!: number;
  @Id() monitor_version_id!: number;
  @SemVer() version_number!: string;
  @OneOf(SOURCE_TYPES) source_type!: SourceType;
  @Str(1, 128) source_id!: string;
  @OneOf(RUNNER_TYPES) runner_type!: RunnerType;
  @Str() @Nullable() @Description('The model or workflow that ran') runner_ref_id!: string | null;
  @OneOf(MONITOR_OUTCOMES) outcome!: MonitorOutcome;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Count() runner_duration_ms!: number;
  @Num(0) @Nullable() cost!: number | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @Flag() @Description('The run of a shadow version; it counts nowhere') shadow!: boolean;
  @Epoch() date_created!: number;
}
/** A judgement of one production source. */
export class MonitorRun extends MonitorRunSummary {
  @ListOf(() => ResolutionStep) resolution_trace!: ResolutionStep[];
  @Json() @Nullable() runner_output!: unknown;
}
/** A judgement in a list: with its output and trace when they were asked for. */
export class ListedMonitorRun extends MonitorRunSummary {
  @ListOf(() => ResolutionStep) @Optional() resolution_trace?: ResolutionStep[];
  @Json() @Nullable() @Optional() runner_output?: unknown;
}

class RunFilters extends TimedListQuery {
  @List(oneOfType(MONITOR_OUTCOMES), 1) @Optional() outcome?: MonitorOutcome[];
  @List(oneOfType(FAILURE_CLASSES), 1) @Optional() failure_class?: FailureClass[];
  @List(intType(), 1, 100) @Optional() monitor_target_id?: number[];
  @List(oneOfType(SOURCE_TYPES), 1) @Optional() source_type?: SourceType[];
  @field(versionWord) @Optional() version?: string;
  @Str(1, 64) @Optional() @Description('The release whose version judged') release?: string;
  @Str(1, 1000) @Optional() @Description('Found in output, trace and error message') text?: string;
  @Flag() @Optional() @Description('Only runs of shadow versions, or none of them') shadow?: boolean;
  @Count() @Optional() min_duration_ms?: number;
  @Num(0) @Optional() min_cost?: number;
  @Flag() @Default(false) @Description('Adds output and trace') include_body?: boolean;
}
class ListAllRuns extends RunFilters {
  @Id() @Optional() monitor_id?: number;
}
class RunPath {
  @field(runIdType) run_id!: number;
}
class RunsBySource extends ListQuery {
  @OneOf(SOURCE_TYPES) source_type!: SourceType;
  @Str(1, 128) source_id!: string;
  @Flag() @Default(false) include_body?: boolean;
}

const of = '/monitors/{monitor_id}/runs' as const;

/** Runs of monitors (docs/api/monitors.md). */
export const monitorRuns = defineContract(
  { name: 'monitor-runs', service: 'monitors', tag: 'Monitors' },
  {
    listAllMonitorRuns: {
      get: '/monitors/runs',
      summary: 'List the runs of all monitors, without their output unless asked',
      input: ListAllRuns,
      output: page(ListedMonitorRun),
    },
    listRunsBySource: {
      get: '/monitors/runs/by-source',
      summary: 'List the runs that judged one source',
      input: RunsBySource,
      output: page(ListedMonitorRun),
    },
    getAnyMonitorRun: {
      get: '/monitors/runs/{run_id}',
      summary: 'Get a run of any monitor',
      input: RunPath,
      output: MonitorRun,
    },
    listMonitorRuns: {
      get: of,
      summary: 'List the runs of a monitor, without their output unless asked',
      input: join(MonitorPath, RunFilters),
      output: page(ListedMonitorRun),
    },
    getMonitorRun: {
      get: `${of}/{run_id}`,
      summary: 'Get a run of a monitor',
      input: join(MonitorPath, RunPath),
      output: MonitorRun,
    },
    retryMonitorRun: {
      post: `${of}/{run_id}/retry`,
      summary: 'Judge the source of a run that ended as ERROR again, in its place',
      errors: ['conflict', 'bad_upstream'],
      scope: 'invoke',
      input: join(MonitorPath, RunPath),
      output: MonitorRun,
      delivery: { slow: true },
    },
  },
);
