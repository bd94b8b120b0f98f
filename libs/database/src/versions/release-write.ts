import { ApiError, type Caller, conflict, type GatePolicy, type GateResult, notFound } from '@signalbox/contracts';
import type { GatedNames, ReleaseRow } from './release-rows.js';
import { sameJson } from './snapshot-diff.js';
import type { GateVerdict } from './version-family.js';
import type { VersionRow } from './version-tables.js';

/** The input of a write of a release. */
export interface ReleaseInput {
  /** The new name of an existing release. */
  name?: string;
  version?: string;
  is_default?: boolean;
  gate_policy?: GatePolicy | null;
  mcp_enabled?: boolean;
  override_reason?: string;
}

/** One write of a release, collected before its transaction. */
export interface ReleaseWrite {
  caller: Caller;
  parentId: number;
  name: string;
  input: ReleaseInput;
  /** True for a create, which requires a free name; an update requires an existing release. */
  isNew: boolean;
  /** The version to point at, null to leave it. */
  target: VersionRow | null;
}

export const nameTaken = (name: string): ApiError => conflict(`release ${name} exists already`);

export const resultOf = ({ passed, unmet, test_run_id, stale_items }: GateVerdict): GateResult => ({
  passed,
  reasons: unmet.map(({ message }) => message),
  ...(test_run_id ? { test_run_id } : {}),
  ...(stale_items ? { stale_items } : {}),
});

export const policyAfter = (current: ReleaseRow | undefined, input: ReleaseInput): GatePolicy | null =>
  input.gate_policy === undefined ? (current?.gate_policy ?? null) : input.gate_policy;

/**
 * Throws 409 for a taken name, 404 for a missing release, and 403 unless an admin overrides a gate, changes an existing
 * policy, or puts something else in the place of a gated release.
 */
export function requireAllowed(
  { caller, name, input, isNew }: ReleaseWrite,
  current: ReleaseRow | undefined,
  gated: GatedNames,
): void {
  if (isNew && current) throw nameTaken(name);
  if (!isNew && !current) throw notFound('release');
  const policy = current?.gate_policy;
  const changesPolicy = policy != null && input.gate_policy !== undefined && !sameJson(input.gate_policy, policy);
  if (input.override_reason !== undefined || changesPolicy || evadesGate(name, input, current, gated))
    requireAdmin(caller);
}

/** Throws 403 without the scope `admin`. */
export function requireAdmin({ scopes }: Caller): void {
  if (!scopes.includes('admin')) throw new ApiError('missing_scope', 'missing scope: admin');
}

function evadesGate(
  name: string,
  { name: renamed = name, is_default }: ReleaseInput,
  current: ReleaseRow | undefined,
  { gated_default, deleted }: GatedNames,
): boolean {
  if (renamed !== current?.name && deleted.includes(renamed)) return true;
  if (current?.gate_policy && renamed !== current.name) return true;
  if (gated_default === null || is_default === undefined) return false;
  // Without a default release, calls go to the latest version.
  return gated_default === current?.name ? !is_default : is_default;
}
