import { Checked } from '../../fields/checks.js';
import { defineContract } from '../../contract.js';
import {
  Count,
  Default,
  Epoch,
  field,
  Id,
  join,
  Json,
  List,
  ListOf,
  Nested,
  Nullable,
  Obj,
  OneOf,
  Optional,
  SemVer,
  Str,
} from '../../fields/fields.js';
import { stringType } from '../../fields/field-types.js';
import type { Detail } from '../../errors.js';
import { FAILURE_CLASSES, type FailureClass } from '../../shapes.js';
import { versionWord } from '../../versions/versions.js';
import { MonitorConfig, RUNNER_TYPES, type RunnerType } from './monitor-config.js';
import { MonitorPath } from './monitor-path.js';
import { MONITOR_OUTCOMES, type MonitorOutcome, ResolutionStep } from './monitor-runs.js';
import { TARGET_TYPES, type TargetType } from './monitor-targets.js';
import { SOURCE_TYPES, type SourceType } from './source-payloads.js';

/** What a preview judges: a payload, or a recorded source. */
class PreviewedPayload {
  @Obj() @Optional() payload?: Record<string, unknown>;
  @OneOf(SOURCE_TYPES) @Optional() source_type?: SourceType;
  @Str(1, 128) @Optional() source_id?: string;
}

function payloadProblem({ payload, source_type, source_id }: PreviewedPayload): Detail | undefined {
  if (payload !== undefined && (source_type ?? source_id) !== undefined)
    return { field: 'payload', message: 'cannot be combined with source_type and source_id' };
  if (payload !== undefined) return undefined;
  if (source_type === undefined && source_id === undefined)
    return { field: 'payload', message: 'is required when source_type and source_id are absent' };
  if (source_type === undefined) return { field: 'source_type', message: 'is required with source_id' };
  return source_id === undefined ? { field: 'source_id', message: 'is required with source_type' } : undefined;
}

const USES = ['draft', 'version', 'release', 'adhoc'] as const;

function useProblem(input: PreviewMonitorBody): Detail | undefined {
  const needed = { draft: null, version: 'version', release: 'release', adhoc: 'config' } as const;
  const own = needed[input.use];
  if (own !== null && input[own] === undefined) return { field: own, message: `is required with use ${input.use}` };
  for (const other of ['version', 'release', 'config'] as const)
    if (other !== own && input[other] !== undefined)
      return { field: other, message: `cannot be combined with use ${input.use}` };
  return payloadProblem(input);
}

@Checked(useProblem)
class PreviewMonitorBody extends PreviewedPayload {
  @OneOf(USES) @Default('draft') use!: (typeof USES)[number];
  @field(versionWord) @Optional() version?: string;
  @Str(1, 64) @Optional() release?: string;
  @Nested(() => MonitorConfig) @Optional() config?: MonitorConfig;
}
@Checked(payloadProblem)
class PreviewConfig extends PreviewedPayload {
  @OneOf(['adhoc']) @Default('adhoc') use!: 'adhoc';
  @Nested(() => MonitorConfig) config!: MonitorConfig;
}

/** A judgement that is not stored. */
export class MonitorPreview {
  @Id() @Nullable() monitor_id!: number | null;
  @SemVer() @Nullable() used_version_number!: string | null;
  @OneOf(RUNNER_TYPES) runner_type!: RunnerType;
  @Json() @Nullable() runner_output!: unknown;
  @Count() runner_duration_ms!: number;
  @OneOf(MONITOR_OUTCOMES) outcome!: MonitorOutcome;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @ListOf(() => ResolutionStep) resolution_trace!: ResolutionStep[];
}

class SampleTarget {
  @OneOf(TARGET_TYPES) target_type!: TargetType;
  @Id() target_id!: number;
}
/** The newest production payload of a target, and the paths that conditions can read in it. */
export class TargetSample extends SampleTarget {
  @Json() payload!: Record<string, unknown>;
  @List(stringType(0, 1000)) payload_paths!: string[];
  @Epoch() sampled_at!: number;
  @OneOf(SOURCE_TYPES) source_type!: SourceType;
  @Str(1, 128) source_id!: string;
}

/** Trying a monitor out (docs/api/monitors.md). */
export const monitorPreviews = defineContract(
  { name: 'monitor-previews', service: 'monitors', tag: 'Monitors' },
  {
    previewConfig: {
      post: '/monitors/preview',
      summary: 'Judge a payload by a configuration without storing anything',
      errors: ['not_found', 'refused'],
      scope: 'invoke',
      input: PreviewConfig,
      output: MonitorPreview,
      delivery: { slow: true },
    },
    previewMonitor: {
      post: '/monitors/{monitor_id}/preview',
      summary: 'Judge a payload by the draft, a version or a release of a monitor without storing anything',
      errors: ['refused', 'conflict'],
      scope: 'invoke',
      input: join(MonitorPath, PreviewMonitorBody),
      output: MonitorPreview,
      delivery: { slow: true },
    },
    sampleTarget: {
      get: '/monitors/sample-target',
      summary: 'Get the newest production payload of a target',
      errors: ['not_found'],
      input: SampleTarget,
      output: TargetSample,
    },
  },
);
