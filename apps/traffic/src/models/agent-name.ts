export interface AgentName {
  idOrName: string;
  version?: string;
  release?: string;
}

const PREFIX = 'agent:';
const SEMVER = /^\d+\.\d+\.\d+$/;

export function agentNameOf(model: string): AgentName | null {
  if (!model.startsWith(PREFIX)) return null;
  const rest = model.slice(PREFIX.length);
  const at = rest.lastIndexOf('@');
  if (at < 0) return { idOrName: rest };
  return { idOrName: rest.slice(0, at), ...versionOrRelease(rest.slice(at + 1)) };
}

export const versionOrRelease = (target: string): { version: string } | { release: string } =>
  SEMVER.test(target) || target === 'latest' ? { version: target } : { release: target };
