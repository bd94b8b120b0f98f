import { list } from '../contract/outputs.js';
import { EmptyInput } from '../shapes.js';
import { intType, stringType } from '../fields/field-types.js';
import {
  Default,
  Description,
  Epoch,
  Flag,
  Id,
  Int,
  Json,
  List,
  ListOf,
  Name,
  Nested,
  Nullable,
  Num,
  OneOf,
  Optional,
  SemVer,
  Slug,
  Str,
} from '../fields/fields.js';

/** Condition under which a release may move (docs/api/versions-and-releases.md). */
export class GatePolicy {
  @Id() test_set_id!: number;
  @Num(0, 1) min_match_rate!: number;
  @Int(60_000, 31_536_000_000) max_age_ms!: number;
  @Num(0, 1) @Default(0) max_error_rate!: number;
  @Num(0.5, 0.999)
  @Nullable()
  @Optional()
  @Description('Compares min_match_rate with the lower bound of the interval of the match rate at this confidence')
  confidence?: number | null;
}

/** The verdict of a gate on a move. */
export class GateResult {
  @Flag() passed!: boolean;
  @List(stringType(0, 500)) reasons!: string[];
  @Id() @Optional() test_run_id?: number;
  @List(intType(), 0, 20)
  @Optional()
  @Description('The first items of the test set that were added, removed, changed or overridden after the run')
  stale_items?: number[];
}

/** A named pointer to a version. */
export class Release {
  @Id() id!: number;
  @Slug() name!: string;
  @Id() version_id!: number;
  @SemVer() version_number!: string;
  @Flag() is_default!: boolean;
  @Nested(() => GatePolicy) @Nullable() gate_policy!: GatePolicy | null;
  @Flag()
  @Description('Clients of the Model Context Protocol may call it as a tool; of agents and workflows only')
  mcp_enabled!: boolean;
  @Epoch() moved_at!: number;
  @Id() @Nullable() moved_by_key_id!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

/** One move of a release, kept forever. */
export class ReleaseMove {
  @Id() id!: number;
  @Slug() release_name!: string;
  @SemVer() @Nullable() from_version!: string | null;
  @SemVer() to_version!: string;
  @Nested(() => GateResult) @Nullable() gate_result!: GateResult | null;
  @Str(0, 500) @Nullable() override_reason!: string | null;
  @Id() @Nullable() key_id!: number | null;
  @Epoch() date_created!: number;
}

/** The kinds of resources with versions and releases. */
export const RELEASE_PARENTS = ['agent', 'workflow', 'monitor'] as const;

/** A release in the list over all agents, workflows and monitors. */
export class ReleaseOverview {
  @OneOf(RELEASE_PARENTS) parent_type!: (typeof RELEASE_PARENTS)[number];
  @Id() parent_id!: number;
  @Name() parent_name!: string;
  @Slug() name!: string;
  @SemVer() version_number!: string;
  @Flag() is_default!: boolean;
  @Nested(() => GatePolicy) @Nullable() gate_policy!: GatePolicy | null;
  @Nested(() => GateResult) @Nullable() last_gate_result!: GateResult | null;
  @Flag()
  @Description('Clients of the Model Context Protocol may call it as a tool; of agents and workflows only')
  mcp_enabled!: boolean;
  @Epoch() moved_at!: number;
  @Id() @Nullable() moved_by_key_id!: number | null;
}

class TestSetOfGates {
  @Id() test_set_id!: number;
}
/** A release whose gate names a test set. */
export class GatedRelease {
  @OneOf(RELEASE_PARENTS) parent_type!: (typeof RELEASE_PARENTS)[number];
  @Id() parent_id!: number;
  @Slug() name!: string;
}
/** The first releases whose gate names a test set, and their total number. */
export class GatedReleases {
  @ListOf(() => GatedRelease) releases!: GatedRelease[];
  @Int(0) total!: number;
}

/** Internal: the releases of a family whose gate policy names a test set. */
export const listGatedReleases = {
  summary: 'List the first releases whose gate policy names a test set',
  input: TestSetOfGates,
  output: GatedReleases,
} as const;

/** A release as clients of the Model Context Protocol call it. */
export class McpRelease {
  @Id() parent_id!: number;
  @Name() parent_name!: string;
  @Slug() release!: string;
  @SemVer() version_number!: string;
  @Str(0, 20_000) @Nullable() description!: string | null;
  @Json() @Nullable() @Description('Form fields of an agent, or the schema of the input of a workflow') input!: unknown;
  @Json()
  @Nullable()
  @Description('The response format of an agent, or the schema of the output of a workflow')
  output!: unknown;
}

/** Internal: the releases of a family that clients of the Model Context Protocol may call. */
export const listMcpReleases = {
  summary: 'List the releases that clients of the Model Context Protocol may call, the oldest first',
  input: EmptyInput,
  output: list(McpRelease),
} as const;
