import { conflict, type ScriptLanguage, type WorkflowMode } from '@signalbox/contracts';
import { type NestedRef, parseNestedRef } from './nested-ref.js';

/** What a run executes: the draft or a published version. */
export interface WorkflowSnapshot {
  workflow_name: string;
  description: string;
  language: ScriptLanguage;
  script_key: string;
  script_sha256: string;
  script_has_transform: boolean;
  transform_session: string | null;
  execution_mode: WorkflowMode;
  input_schema: Record<string, unknown> | null;
  output_schema: Record<string, unknown> | null;
  allow_inproc_nesting: boolean;
  inproc_nested_refs: string[];
  timeout_seconds: number;
  memory_mb: number;
  meta: Record<string, unknown>;
  /** In a published version: the versions of children that the draft names without one. */
  frozen_refs?: Record<string, string>;
}

export const SNAPSHOT_FIELDS = [
  'workflow_name',
  'description',
  'language',
  'script_key',
  'script_sha256',
  'script_has_transform',
  'transform_session',
  'execution_mode',
  'input_schema',
  'output_schema',
  'allow_inproc_nesting',
  'inproc_nested_refs',
  'timeout_seconds',
  'memory_mb',
  'meta',
] as const satisfies (keyof WorkflowSnapshot)[];

/** Throws 409 for a child without a published version. */
export function freezeRefs(snapshot: WorkflowSnapshot, latest: ReadonlyMap<string, string>): WorkflowSnapshot {
  const moving = snapshot.inproc_nested_refs.map((entry) => ({ entry, ...parseNestedRef(entry) })).filter(isMoving);
  const frozen_refs = Object.fromEntries(
    moving.map(({ entry, ref }) => {
      const version = latest.get(ref);
      if (version === undefined) throw conflict(`workflow ${ref} has no published version`);
      return [entry, version];
    }),
  );
  return { ...snapshot, frozen_refs };
}

/** An entry that names a release follows it. */
const isMoving = ({ pin }: NestedRef): boolean => pin === null || ('version' in pin && pin.version === 'latest');

/** Versions of children that publishing filled in are compared only between two published versions. */
export function comparable(from: WorkflowSnapshot, to: WorkflowSnapshot): [object, object] {
  if (from.frozen_refs && to.frozen_refs) return [from, to];
  const { frozen_refs: _from, ...left } = from;
  const { frozen_refs: _to, ...right } = to;
  return [left, right];
}
