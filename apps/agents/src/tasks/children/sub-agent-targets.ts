import { ApiError } from '@signalbox/contracts';
import type { AgentSnapshot, LinkDraft } from '../../agents/agent-snapshot.js';
import type { AgentVersions } from '../../versions/versions.repository.js';
import type { TaskChild } from '../model/capabilities.js';

const MAX_DEPTH = 10;
/** Snapshots looked at for one invocation. */
const MAX_TARGETS = 100;

async function targetOf(versions: AgentVersions, companyId: number, link: LinkDraft): Promise<AgentSnapshot | null> {
  const { child_agent_id, version, release } = link;
  try {
    const target = await versions.resolve(
      companyId,
      child_agent_id,
      version ? { version } : release ? { release } : {},
    );
    return target.snapshot;
  } catch (error) {
    // A sub-agent that is gone is not offered.
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** A snapshot whose links bear the names of what they lead to; links that lead nowhere are left out. */
export async function withChildren(
  versions: AgentVersions,
  companyId: number,
  snapshot: AgentSnapshot,
): Promise<AgentSnapshot> {
  if (!snapshot.sub_agents?.length) return { ...snapshot, sub_agents: [] };
  const named: TaskChild[] = [];
  for (const link of snapshot.sub_agents) {
    const target = await targetOf(versions, companyId, link);
    if (target) named.push({ ...link, agent_name: target.agent_name, description: target.description });
  }
  return { ...snapshot, sub_agents: named };
}

/** The actions of an agent and of every agent it may come to call. */
export async function actionsBelow(
  versions: AgentVersions,
  companyId: number,
  snapshot: AgentSnapshot,
): Promise<AgentSnapshot['actions']> {
  const actions = [...snapshot.actions];
  const seen = new Set<string>();
  let links = snapshot.sub_agents ?? [];
  for (let depth = 1; depth <= MAX_DEPTH && links.length > 0; depth++) {
    const below: LinkDraft[] = [];
    for (const link of links) {
      const key = `${link.child_agent_id} ${link.version ?? ''} ${link.release ?? ''}`;
      if (seen.has(key) || seen.size >= MAX_TARGETS) continue;
      seen.add(key);
      const target = await targetOf(versions, companyId, link);
      actions.push(...(target?.actions ?? []));
      below.push(...(target?.sub_agents ?? []));
    }
    links = below;
  }
  return actions;
}
