import { versionOrRelease } from './agent-name.js';

/** A workflow in the model field of a call: `workflow:<ref>[@version or release]`. */
export interface WorkflowName {
  workflow_ref_name: string;
  version?: string;
  release?: string;
}

const PREFIX = 'workflow:';

export function workflowNameOf(model: string): WorkflowName | null {
  if (!model.startsWith(PREFIX)) return null;
  const rest = model.slice(PREFIX.length);
  const at = rest.lastIndexOf('@');
  if (at < 0) return { workflow_ref_name: rest };
  return { workflow_ref_name: rest.slice(0, at), ...versionOrRelease(rest.slice(at + 1)) };
}
