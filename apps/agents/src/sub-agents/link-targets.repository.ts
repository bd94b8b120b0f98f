import { Injectable } from '@nestjs/common';
import { conflict } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { type ActionSecrets, type AgentSnapshot, type FrozenMcpServer, type LinkDraft } from '../drafts/index.js';
import type { TaskChild } from './link.js';
import { LINK_TARGETS } from './link-targets.sql.js';

const MAX_DEPTH = 10;
const PAGE = 100;
/** Agents that one invocation may reach. */
const MAX_TARGETS = 2000;

type LinkTarget = Pick<AgentSnapshot, 'agent_name' | 'description' | 'sub_agents'> & {
  actions: ActionSecrets[];
  mcp_servers: Pick<FrozenMcpServer, 'headers'>[];
};

export interface ResolvedLinks {
  snapshot: AgentSnapshot;
  actions: ActionSecrets[];
}

/** Headers name secrets as those of actions do. */
const secretsOfServers = (servers: readonly Pick<FrozenMcpServer, 'headers'>[] = []): ActionSecrets[] =>
  servers.map(({ headers }) => ({ enabled: true, action_config: { headers } }));

const keyOf = ({ child_agent_id, version, release }: LinkDraft): string =>
  `${child_agent_id} ${version ?? ''} ${release ?? ''}`;

/**
 * Each target is read once per invocation.
 *
 * SQL: all links of one depth are resolved in one statement.
 */
@Injectable()
export class LinkTargets {
  constructor(private readonly db: Database) {}

  async resolveSubAgentTree(companyId: number, snapshot: AgentSnapshot): Promise<ResolvedLinks> {
    const known = new Map<string, LinkTarget | null>();
    const actions: ActionSecrets[] = [...snapshot.actions, ...secretsOfServers(snapshot.mcp_servers)];
    let links = snapshot.sub_agents ?? [];
    for (let depth = 1; depth <= MAX_DEPTH && links.length > 0; depth++) {
      const targets = await this.read(companyId, links, known);
      for (const { actions: own, mcp_servers } of targets) actions.push(...own, ...secretsOfServers(mcp_servers));
      links = targets.flatMap(({ sub_agents }) => sub_agents ?? []);
    }
    return { snapshot: named(snapshot, known), actions };
  }

  /** Links get the names of their targets; links without a target are left out. */
  async withNames(companyId: number, snapshot: AgentSnapshot): Promise<AgentSnapshot> {
    const known = new Map<string, LinkTarget | null>();
    await this.read(companyId, snapshot.sub_agents ?? [], known);
    return named(snapshot, known);
  }

  /** 409 beyond the limit, because the secrets of further agents would be missed. */
  private async read(companyId: number, links: readonly LinkDraft[], known: Map<string, LinkTarget | null>) {
    const unknown = new Map(links.map((link) => [keyOf(link), link]));
    const fresh = [...unknown].filter(([key]) => !known.has(key));
    if (known.size + fresh.length > MAX_TARGETS)
      throw conflict(`the agent reaches more than ${MAX_TARGETS} sub-agents`);
    const targets: LinkTarget[] = [];
    for (let from = 0; from < fresh.length; from += PAGE)
      targets.push(...(await this.readPage(companyId, fresh.slice(from, from + PAGE), known)));
    return targets;
  }

  private async readPage(
    companyId: number,
    fresh: readonly [string, LinkDraft][],
    known: Map<string, LinkTarget | null>,
  ): Promise<LinkTarget[]> {
    const rows = await this.db.select<{ at: number; target: LinkTarget | null }>(companyId, LINK_TARGETS, [
      fresh.map(([, { child_agent_id }]) => child_agent_id),
      fresh.map(([, { version }]) => version ?? null),
      fresh.map(([, { release }]) => release ?? null),
    ]);
    for (const [key] of fresh) known.set(key, null);
    for (const { at, target } of rows) known.set(fresh[at - 1]?.[0] ?? '', target);
    return rows.flatMap(({ target }) => (target ? [target] : []));
  }
}

function named(snapshot: AgentSnapshot, known: ReadonlyMap<string, LinkTarget | null>): AgentSnapshot {
  const sub_agents = (snapshot.sub_agents ?? []).flatMap((link): TaskChild[] => {
    const target = known.get(keyOf(link));
    return target ? [{ ...link, agent_name: target.agent_name, description: target.description }] : [];
  });
  return { ...snapshot, sub_agents };
}
