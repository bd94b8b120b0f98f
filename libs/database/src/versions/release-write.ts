import { ApiError, type Caller, conflict, type GatePolicy, type GateResult, notFound } from '@signalbox/contracts';
import type { GatedNames, ReleaseRow } from './release-rows.js';
import { sameJson } from './snapshot-diff.js';
import type { GateVerdict } from './version-family.js';
import type { VersionRow } from './version-rows.js';

export interface ReleaseInput {
  name?: string;
  version?: string;
  is_default?: boolean;
  gate_policy?: GatePolicy | null;
  mcp_enabled?: boolean;
  override_reason?: string;
}

export interface ReleaseWrite {
  caller: Caller;
  parentId: number;
  name: string;
  input: ReleaseInput;
  /** A create requires a free name, an update an existing release. */
  isNew: boolean;
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
 * 409 for a taken name, 404 for a missing release; 403 unless an admin overrides a gate, changes an existing policy, or
 * replaces a gated release.
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
