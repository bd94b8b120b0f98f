import type { SubAgentLink } from '@signalbox/contracts';
import type { LinkDraft } from '../drafts/index.js';

/** A sub-agent as a task offers it to its model: the link with the name of its target at the start of the task. */
export interface TaskChild extends LinkDraft {
  agent_name: string;
  description: string | null;
}

type Target = Partial<Pick<SubAgentLink, 'version' | 'release'>>;

/** Version and release after an update: setting one clears the other. */
export function changedTarget(link: Target, change: Target): Target {
  if (change.version != null) return { version: change.version, release: null };
  if (change.release != null) return { version: null, release: change.release };
  return {
    version: change.version === undefined ? (link.version ?? null) : null,
    release: change.release === undefined ? (link.release ?? null) : null,
  };
}
