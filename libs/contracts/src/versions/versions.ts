import { page } from '../contract/outputs.js';
import { type Class, patternType } from '../fields/field-types.js';
import { Default, field, Flag, Json, join, Nested, Nullable, OneOf, Optional, SemVer, Str } from '../fields/fields.js';
import { Deleted, ListQuery } from '../shapes.js';
import { GatePolicy, GateResult, Release, ReleaseMove } from './releases.js';

/** Which part of the semantic version a publish increments. */
export const INCREMENTS = ['major', 'minor', 'patch'] as const;
export type Increment = (typeof INCREMENTS)[number];

export class VersionDiff {
  @SemVer() @Nullable() from_version!: string | null;
  @SemVer() @Nullable() to_version!: string | null;
  @Flag() has_changes!: boolean;
  @Json() changes!: Record<string, { from: unknown; to: unknown }>;
  @Json() @Optional() actions?: unknown;
  @Json() @Optional() sub_agents?: unknown;
  @Json() @Optional() routing_rules?: unknown;
  @Json() @Optional() form_fields?: unknown;
}

const SEMVER = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;
/** A published version by its number, or `latest`. */
export const versionWord = patternType(new RegExp(`${SEMVER.source}|^latest$`), 'a semantic version or "latest"');
const pointWord = patternType(
  new RegExp(`${SEMVER.source}|^[a-z0-9][a-z0-9_-]{0,63}$`),
  'a semantic version, a release name, "latest" or "draft"',
);

const releaseName = {
  ...patternType(/^(?!(draft|latest)$)[a-z0-9][a-z0-9_-]{0,63}$/, 'a slug other than "draft" and "latest"'),
};

class VersionPath {
  @field(versionWord) version!: string;
}
class VersionQuery extends VersionPath {
  @Flag() @Default(true) include_snapshot!: boolean;
}
class DiffQuery {
  @field(pointWord) from!: string;
  @field(pointWord) @Default('draft') to!: string;
}
class PublishBody {
  @OneOf(INCREMENTS) @Default('minor') increment!: Increment;
  @Str(0, 2000) @Default('') version_notes!: string;
}
class CreateReleaseBody {
  @field(releaseName) name!: string;
  @field(versionWord) version!: string;
  @Flag() @Default(false) is_default!: boolean;
  @Nested(() => GatePolicy) @Nullable() @Optional() gate_policy?: GatePolicy | null;
  @Flag() @Optional() mcp_enabled?: boolean;
  @Str(1, 500) @Optional() override_reason?: string;
}
class ReleasePath {
  @Str(1, 2000) release_name!: string;
}
class CheckReleaseBody extends ReleasePath {
  @field(versionWord) version!: string;
}
class UpdateReleaseBody extends ReleasePath {
  @field(releaseName) @Optional() name?: string;
  @field(versionWord) @Optional() version?: string;
  @Flag() @Optional() is_default?: boolean;
  @Nested(() => GatePolicy) @Nullable() @Optional() gate_policy?: GatePolicy | null;
  @Flag() @Optional() mcp_enabled?: boolean;
  @Str(1, 500) @Optional() override_reason?: string;
}
class HistoryQuery extends ListQuery {
  @Str(1, 2000) release_name!: string;
}

/** The family-specific parts of the shared pattern of versions and releases. */
interface VersionedFamily<Root extends string, P extends object, V extends object, R extends object> {
  /** Root path, such as `/agents/{agent_id}`. */
  root: Root;
  path: Class<P>;
  version: Class<V>;
  /** The resource that a restore returns. */
  resource: Class<R>;
  /** Name of the resource in sentences. */
  noun: string;
}

/** The endpoints of docs/api/versions-and-releases.md under one root; shared by every versioned family. */
export function versionEndpoints<const Root extends string, P extends object, V extends object, R extends object>(
  family: VersionedFamily<Root, P, V, R>,
) {
  const { root, path, version, resource, noun } = family;
  return {
    publishVersion: {
      post: `${root}/versions`,
      summary: `Publish the draft of the ${noun} as a new immutable version`,
      errors: ['conflict', 'refused'],
      input: join(path, PublishBody),
      output: version,
    },
    listVersions: {
      get: `${root}/versions`,
      summary: `List the published versions of the ${noun}, newest first`,
      input: join(path, ListQuery),
      output: page(version),
    },
    diffVersions: {
      get: `${root}/versions/diff`,
      summary: `Compare two versions of the ${noun}`,
      input: join(path, DiffQuery),
      output: VersionDiff,
    },
    getVersion: {
      get: `${root}/versions/{version}`,
      summary: `Get one published version of the ${noun}`,
      input: join(path, VersionQuery),
      output: version,
    },
    restoreVersion: {
      post: `${root}/versions/{version}/restore`,
      summary: `Copy a published version onto the draft of the ${noun}`,
      errors: ['conflict'],
      input: join(path, VersionPath),
      output: resource,
    },
    listReleases: {
      get: `${root}/releases`,
      summary: `List the releases of the ${noun}`,
      input: join(path, ListQuery),
      output: page(Release),
    },
    createRelease: {
      post: `${root}/releases`,
      summary: `Create a release of the ${noun}`,
      errors: ['conflict'],
      input: join(path, CreateReleaseBody),
      output: Release,
    },
    getRelease: {
      get: `${root}/releases/{release_name}`,
      summary: `Get a release of the ${noun}`,
      input: join(path, ReleasePath),
      output: Release,
    },
    updateRelease: {
      put: `${root}/releases/{release_name}`,
      summary: `Move, rename or change a release of the ${noun}`,
      errors: ['conflict'],
      input: join(path, UpdateReleaseBody),
      output: Release,
    },
    deleteRelease: {
      delete: `${root}/releases/{release_name}`,
      summary: `Delete a release of the ${noun}`,
      errors: ['conflict'],
      input: join(path, ReleasePath),
      output: Deleted,
    },
    checkRelease: {
      post: `${root}/releases/{release_name}/check`,
      scope: 'read',
      summary: `Check the gate of a release of the ${noun} for a version without moving it`,
      input: join(path, CheckReleaseBody),
      output: GateResult,
    },
    listReleaseMoves: {
      get: `${root}/releases/{release_name}/history`,
      summary: `List the moves of a release of the ${noun}, newest first`,
      input: join(path, HistoryQuery),
      output: page(ReleaseMove),
    },
  } as const;
}
