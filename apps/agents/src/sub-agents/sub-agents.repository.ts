import { Injectable } from '@nestjs/common';
import { type AgentKind, conflict, type JsonText, notFound, type SubAgentLink } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { Agents, type LinkDraft, LINKS, OrderedChildren } from '../drafts/index.js';
import { type Link, wouldCycle } from './cycle.js';
import {
  ALL_LINKS,
  FIND_CHILD,
  ID_OF_LINK,
  LATEST_VERSION,
  LINK_OF_CHILD,
  LOCK_LINKS,
  PARENTS_OF,
  PARENTS_TO_SHOW,
} from './sub-agents.sql.js';

export type LinkBody = Pick<SubAgentLink, 'child_agent_id' | 'version' | 'release' | 'action_result_type'>;

type Target = Partial<Pick<LinkBody, 'version' | 'release'>>;

interface Parent {
  agent_id: number;
}

function refuseParents(parents: readonly Parent[]): void {
  if (parents.length === 0) return;
  throw conflict(
    `the agent is a sub-agent of ${parents.map(({ agent_id }) => `agent ${agent_id}`).join(', ')}`,
    parents.map(({ agent_id }) => ({
      field: 'agent_id',
      message: `the draft of agent ${agent_id} refers to the agent`,
    })),
  );
}

/** SQL: cycles are checked under an advisory lock; versions and releases by EXISTS. */
@Injectable()
export class SubAgents extends OrderedChildren<SubAgentLink, LinkBody> {
  constructor(db: Database, agents: Agents) {
    super(db, agents, LINKS, 'agent.updated');
  }

  /**
   * Serialises linking and the deletion of linked agents within the company, so that two links that form a cycle
   * together are written one after the other. Every writer takes this lock after the row locks of agents.
   */
  async lockLinks(tx: Tx): Promise<void> {
    await tx.query(LOCK_LINKS, [tx.companyId]);
  }

  /** 404 for a child, a version or a release that does not exist; 409 for a child that would close a cycle. */
  async check(tx: Tx, agentId: number, child: number, target: Target): Promise<void> {
    await this.lockLinks(tx);
    await this.requireTarget(tx, child, target);
    if (wouldCycle(await this.links(tx), agentId, child))
      throw conflict('the agent would call itself through this sub-agent');
  }

  async requireTarget(tx: Tx, child: number, { version, release }: Target): Promise<void> {
    const [found] = await tx.query<{ version: boolean; release: boolean; kind: AgentKind }>(FIND_CHILD, [
      tx.companyId,
      child,
      version ?? null,
      release ?? null,
    ]);
    if (!found) throw notFound('agent');
    if (found.kind === 'EXTERNAL') throw conflict(`agent ${child} is EXTERNAL: it cannot be invoked`);
    if (version != null && !found.version) throw notFound('version');
    if (release != null && !found.release) throw notFound('release');
  }

  async getToChild(companyId: number, agentId: number, child: number): Promise<JsonText<SubAgentLink>> {
    const [row] = await this.db.select<{ id: number }>(companyId, LINK_OF_CHILD, [agentId, child]);
    return this.get(companyId, agentId, row?.id ?? 0);
  }

  async toChild(tx: Tx, agentId: number, child: number): Promise<SubAgentLink> {
    const [row] = await tx.query<{ id: number }>(ID_OF_LINK, [tx.companyId, agentId, child]);
    return row ? this.find(tx, agentId, row.id) : this.missing();
  }

  /** 409 naming its parents while the agent is a sub-agent of others. */
  async refuseWhileChild(tx: Tx, agentId: number): Promise<void> {
    await this.lockLinks(tx);
    refuseParents(await tx.query<Parent>(PARENTS_OF, [tx.companyId, agentId]));
  }

  /** Without a lock, for a check ahead of a deletion. */
  async refuseWhileNamed(companyId: number, agentId: number): Promise<void> {
    refuseParents(await this.db.select<Parent>(companyId, PARENTS_TO_SHOW, [agentId]));
  }

  async pinned<T extends Target>(tx: Tx, child: number, target: T): Promise<T> {
    if (target.version !== 'latest') return target;
    const [latest] = await tx.query<{ version_number: string }>(LATEST_VERSION, [tx.companyId, child]);
    if (!latest) throw notFound('version');
    return { ...target, version: latest.version_number };
  }

  /** 409 for a deleted child or a cycle. */
  override async replace(tx: Tx, agentId: number, links: readonly LinkDraft[]): Promise<void> {
    await this.lockLinks(tx);
    await this.dropAll(tx, agentId);
    const others = await this.links(tx);
    for (const { child_agent_id: child, version, release, frozen } of links) {
      await this.requireTarget(tx, child, frozen ? {} : { version, release }).catch((error: Error) => {
        throw conflict(`sub-agent ${child} cannot be linked again: ${error.message}`);
      });
      if (wouldCycle(others, agentId, child)) throw conflict(`the agent would call itself through sub-agent ${child}`);
    }
    await super.replace(
      tx,
      agentId,
      links.map(({ frozen, ...link }) => (frozen ? { ...link, version: null } : link)),
    );
  }

  private links(tx: Tx): Promise<Link[]> {
    return tx.query<Link>(ALL_LINKS, [tx.companyId]);
  }
}
