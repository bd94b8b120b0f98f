import {
  ApiError,
  conflict,
  type Detail,
  type ImportWarning,
  invalid,
  type ManifestWorkflow,
  type Workflow,
} from '@signalbox/contracts';
import { parseNestedRef, type WorkflowSnapshot } from '../drafts/index.js';

export function manifestOf(
  { workflow_ref_name, application_name, status }: Workflow,
  snapshot: WorkflowSnapshot,
  script: string,
): ManifestWorkflow {
  const {
    script_key: _key,
    script_sha256: _hash,
    script_has_transform: _has,
    frozen_refs: _frozen,
    ...fields
  } = snapshot;
  return { workflow_ref_name, application_name, status, ...fields, script };
}

/** Throws 400 for a workflow that a manifest names twice. */
export function requireOnce(workflows: readonly ManifestWorkflow[]): void {
  const names = workflows.map(({ workflow_ref_name }) => workflow_ref_name);
  const details = names.flatMap((name, at): Detail[] =>
    names.indexOf(name) === at ? [] : [{ field: `workflows[${at}].workflow_ref_name`, message: 'is named twice' }],
  );
  if (details.length > 0) throw invalid(details);
}

/** Throws 409 for workflows that exist. */
export function requireNew(workflows: readonly ManifestWorkflow[], existing: ReadonlyMap<string, number>): void {
  const details = workflows.flatMap(({ workflow_ref_name }, at): Detail[] =>
    existing.has(workflow_ref_name) ? [{ field: `workflows[${at}].workflow_ref_name`, message: 'exists already' }] : [],
  );
  if (details.length > 0) throw conflict('workflows of these reference names exist already', details);
}

/** Leaves out entries that cannot be resolved, and adds a warning for each. */
export function resolvedRefs(
  refs: readonly string[],
  path: string,
  isKnown: (ref: string) => boolean,
  warnings: ImportWarning[],
): string[] {
  const resolved = refs.flatMap((entry, at): string[] => {
    if (isKnown(entry)) return [entry];
    const here = `${path}.inproc_nested_refs[${at}]`;
    const { ref } = parseNestedRef(entry);
    if (!isKnown(ref)) {
      warnings.push({ path: here, message: `workflow ${ref} does not exist: the entry is left out` });
      return [];
    }
    warnings.push({ path: here, message: `workflow ${entry} does not exist: the entry names no version` });
    return [ref];
  });
  return [...new Set(resolved)];
}

export async function within<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.extras.details) throw error;
    const details = error.extras.details.map(({ field, message }) => ({ field: `${path}.${field}`, message }));
    throw new ApiError(error.kind, error.message, { ...error.extras, details });
  }
}
