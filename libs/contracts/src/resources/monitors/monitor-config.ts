import { Checked } from '../../fields/checks.js';
import { type ConditionGroup, conditionGroupType } from '../../condition-groups.js';
import type { Detail } from '../../errors.js';
import {
  Default,
  Description,
  field,
  Id,
  Int,
  Nested,
  Nullable,
  Num,
  OneOf,
  Optional,
  Slug,
  Str,
  Text,
} from '../../fields/fields.js';
import { versionWord } from '../../versions/versions.js';

/** What produces the output of a monitor that its conditions read; `direct` = the payload itself. */
export const RUNNER_TYPES = ['model', 'workflow', 'direct'] as const;
export type RunnerType = (typeof RUNNER_TYPES)[number];
export const JUDGED_OUTCOMES = ['PASS', 'WARNING', 'FAULT'] as const;
export type JudgedOutcome = (typeof JUDGED_OUTCOMES)[number];

export class RunnerInput {
  @Text() @Nullable() @Optional() @Description('What a judge looks for') prompt?: string | null;
  @Str(0, 500) @Nullable() @Optional() @Description('Path of the messages in the payload') messages_path?:
    string | null;
  @Str(0, 500) @Nullable() @Optional() @Description('Path of the answer in the payload') response_path?: string | null;
}

function runnerProblem({ resource_type, resource_id, version, release }: MonitorRunner): Detail | undefined {
  if (resource_type === 'direct' && resource_id != null)
    return { field: 'resource_id', message: 'is not used by the runner "direct"' };
  if (resource_type !== 'direct' && resource_id == null) return { field: 'resource_id', message: 'is required' };
  if (version != null && release != null) return { field: 'release', message: 'cannot be combined with version' };
  const pinned = version != null ? 'version' : release != null ? 'release' : null;
  if (pinned !== null && resource_type !== 'workflow')
    return { field: pinned, message: 'is used by the runner "workflow" only' };
  return undefined;
}

@Checked(runnerProblem)
export class MonitorRunner {
  @OneOf(RUNNER_TYPES) resource_type!: RunnerType;
  @Id() @Nullable() @Optional() resource_id?: number | null;
  @field(versionWord) @Nullable() @Optional() version?: string | null;
  @Slug() @Nullable() @Optional() release?: string | null;
  @Nested(() => RunnerInput) @Default(() => ({})) input!: RunnerInput;
}

/** How the output of the runner becomes an outcome: fault first, then warning, then the default. */
export class MonitorResult {
  @field(conditionGroupType) @Nullable() @Optional() fault?: ConditionGroup | null;
  @field(conditionGroupType) @Nullable() @Optional() warning?: ConditionGroup | null;
  @OneOf(JUDGED_OUTCOMES) @Default('PASS') default_outcome!: JudgedOutcome;
}

export class MonitorLimits {
  @Num(0)
  @Nullable()
  @Optional()
  @Description(
    'US dollars; when reached nothing runs until 00:00 UTC. Runs of shadow versions, retries, checks and previews count too',
  )
  max_cost_per_day?: number | null;
  @Int(100, 300_000) @Default(60_000) timeout_ms!: number;
}

/** The configuration of a monitor; a draft may lack its runner. */
export class MonitorConfig {
  @Nested(() => MonitorRunner) @Nullable() @Optional() runner?: MonitorRunner | null;
  @Nested(() => MonitorResult) @Default(() => ({ default_outcome: 'PASS' })) result!: MonitorResult;
  @Nested(() => MonitorLimits) @Default(() => ({ timeout_ms: 60_000 })) limits!: MonitorLimits;
}

/** A configuration without a runner. */
export const emptyMonitorConfig = (): MonitorConfig => ({
  result: { default_outcome: 'PASS' },
  limits: { timeout_ms: 60_000 },
});
