import { Injectable } from '@nestjs/common';
import { conflict } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import {
  type ActionSecrets,
  type AgentSnapshot,
  type FrozenMcpServer,
  type LinkDraft,
  LINKED_PARTS,
  secretFields,
} from '../drafts/index.js';
import type { TaskChild } from './link.js';

const MAX_DEPTH = 10;
/** Targets that are read in one statement. */
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

/** The headers of servers, which name secrets as those of actions do. */
const secretsOfServers = (servers: readonly Pick<FrozenMcpServer, 'headers'>[] = []): ActionSecrets[] =>
  servers.map(({ headers }) => ({ enabled: true, action_config: { headers } }));

const keyOf = ({ child_agent_id, version, release }: LinkDraft): string =>
  `${child_agent_id} ${version ?? ''} ${release ?? ''}`;

const PUBLISHED = `(SELECT jsonb_build_object('agent_name', v.snapshot->'agent_name', 'description', v.snapshot->'description',
    'actions', (SELECT COALESCE(jsonb_agg(${secretFields(`e->'enabled'`, `e->'action_config'`)}), '[]')
      FROM jsonb_array_elements(v.snapshot->'actions') e), 'sub_agents', v.snapshot->'sub_agents',
    'mcp_servers', (SELECT COALESCE(jsonb_agg(jsonb_build_object('headers', e->'headers')), '[]')
      FROM jsonb_array_elements(v.snapshot->'mcp_servers') e))
  FROM agents.agent_versions v WHERE v.company_id = t.company_id AND v.agent_id = t.id
    AND CASE WHEN u.version = 'latest' THEN v.is_latest WHEN u.version IS NOT NULL THEN v.version_number = u.version
      ELSE v.id = (SELECT l.version_id FROM agents.agent_releases l WHERE l.company_id = t.company_id
        AND l.agent_id = t.id AND l.name = u.release AND l.deleted_at IS NULL) END)`;

/**
 * Resolves the links of agents: each target is read once per invocation, all of one depth in one statement.
 *
 * SQL: all links of one depth are resolved in one statement.
 */
@Injectable()
export class LinkTargets {
  constructor(private readonly db: Database) {}

  /** Resolves the links of an agent and the actions of its descendants; links without a target are left out. */
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

  /** Returns a snapshot whose links have the names of their targets; links without a target are left out. */
  async withNames(companyId: number, snapshot: AgentSnapshot): Promise<AgentSnapshot> {
    const known = new Map<string, LinkTarget | null>();
    await this.read(companyId, snapshot.sub_agents ?? [], known);
    return named(snapshot, known);
  }

  /** Reads the targets of links that were not read yet; 409 beyond the limit, because secrets of others would be missed. */
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
    const rows = await this.db.select<{ at: number; target: LinkTarget | null }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         SELECT u.n::int AS at,
           CASE WHEN u.version IS NULL AND u.release IS NULL THEN ${LINKED_PARTS} ELSE ${PUBLISHED} END AS target
         FROM unnest($2::int[], $3::text[], $4::text[]) WITH ORDINALITY u(agent_id, version, release, n)
         JOIN agents.agents t ON t.company_id = s.company AND t.id = u.agent_id AND t.deleted_at IS NULL OFFSET 0) x`,
      [
        fresh.map(([, { child_agent_id }]) => child_agent_id),
        fresh.map(([, { version }]) => version ?? null),
        fresh.map(([, { release }]) => release ?? null),
      ],
    );
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
