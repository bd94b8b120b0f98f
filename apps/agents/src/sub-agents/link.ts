import type { SubAgentLink } from '@signalbox/contracts';

type Target = Partial<Pick<SubAgentLink, 'version' | 'release'>>;

/** What an update leaves of version and release: naming one takes the other away. */
export function changedTarget(link: Target, change: Target): Target {
  if (change.version != null) return { version: change.version, release: null };
  if (change.release != null) return { version: null, release: change.release };
  return {
    version: change.version === undefined ? (link.version ?? null) : null,
    release: change.release === undefined ? (link.release ?? null) : null,
  };
}
