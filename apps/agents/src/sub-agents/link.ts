import type { SubAgentLink } from '@signalbox/contracts';
import type { LinkDraft } from '../drafts/index.js';

/** The name is that of the target at the start of the task. */
export interface TaskChild extends LinkDraft {
  agent_name: string;
  description: string | null;
}

type Target = Partial<Pick<SubAgentLink, 'version' | 'release'>>;

export function changedTarget(link: Target, change: Target): Target {
  if (change.version != null) return { version: change.version, release: null };
  if (change.release != null) return { version: null, release: change.release };
  return {
    version: change.version === undefined ? (link.version ?? null) : null,
    release: change.release === undefined ? (link.release ?? null) : null,
  };
}
