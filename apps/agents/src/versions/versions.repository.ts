import { Injectable } from '@nestjs/common';
import {
  type Agent,
  type AgentVersion,
  type Caller,
  conflict,
  emits,
  type Increment,
  type JsonText,
  agentEvents,
  emission,
  type ReleaseMoved,
  type VersionPublished,
} from '@signalbox/contracts';
import { Database, type ResolvedTarget, type Tx, type VersionedFamily, Versions } from '@signalbox/database';
import { ACTION_TAKEN } from '../actions/index.js';
import {
  AGENT_TAKEN,
  Agents,
  type AgentSnapshot,
  Drafts,
  freezeLinks,
  freezeWorkflows,
  split,
} from '../drafts/index.js';
import { McpServers } from '../mcp-servers/index.js';
import { DraftParts } from './draft-parts.repository.js';
import { AGENT_PARTS, comparable } from './comparable.js';
import { AGENT_SQL, COUNT_VERSIONS, versionView } from './versions.sql.js';

export const AGENT_FAMILY = {
  ...AGENT_SQL,
  published: (id: number, data: VersionPublished) => emission(agentEvents, 'agent.version_published', id, data),
  releaseMoved: (id: number, data: ReleaseMoved) => emission(agentEvents, 'agent.release_moved', id, data),
};

/** The draft was changed between its check and its publish. */
export class DraftChangedError extends Error {}

@Injectable()
export class AgentVersions extends Versions<AgentSnapshot, AgentVersion, Agent> {
  /** Looked up before the transaction of a publish; keyed by its caller. */
  private readonly workflows = new WeakMap<object, ReadonlyMap<number, string>>();
  /** As they were checked before the transaction of a publish. */
  private readonly checked = new WeakMap<object, string>();

  constructor(
    private readonly agentDb: Database,
    drafts: Drafts,
    agents: Agents,
    draftParts: DraftParts,
    servers: McpServers,
  ) {
    const family: VersionedFamily<AgentSnapshot, Agent> = {
      ...AGENT_FAMILY,
      versionView,
      freeze: async (tx, agentId) => {
        const draft = await drafts.freeze(tx, agentId);
        const checked = this.checked.get(tx.owner);
        if (checked !== undefined && checked !== JSON.stringify(draft)) throw new DraftChangedError();
        return {
          ...draft,
          actions: freezeWorkflows(draft.actions, this.workflows.get(tx.owner) ?? new Map()),
          sub_agents: freezeLinks(draft.sub_agents, await drafts.latestOfChildren(tx, agentId)),
        };
      },
      recordPublished: (tx, agentId) => drafts.published(tx, agentId),
      draft: (companyId, agentId) => drafts.find(companyId, agentId),
      restore: (tx, agentId, snapshot) => {
        const { fields, parts } = split(snapshot);
        const rule = () => ({ set: fields, events: [emits('agent.updated')] });
        return agents.changeIn(tx, agentId, rule, async (_tx, _row, decision) => {
          const mcp_servers = await servers.alive(tx, fields.mcp_servers);
          decision.set = { ...fields, mcp_servers, routing: await draftParts.write(tx, agentId, parts) };
        });
      },
      uniqueViolations: { ...AGENT_TAKEN, ...ACTION_TAKEN },
      comparable,
      parts: AGENT_PARTS,
    };
    super(agentDb, family);
  }

  /**
   * Throws `DraftChangedError` when the draft is not the one that was checked. `workflows` are the latest versions of
   * those that actions name without one.
   */
  publishWith(
    caller: Caller,
    agentId: number,
    { increment, version_notes }: { increment: Increment; version_notes: string },
    checked: AgentSnapshot,
    workflows: ReadonlyMap<number, string>,
  ): Promise<JsonText<AgentVersion>> {
    const publisher = { ...caller };
    this.workflows.set(publisher, workflows);
    this.checked.set(publisher, JSON.stringify(checked));
    return this.publish(publisher, agentId, increment, version_notes);
  }

  /** For an agent that runs elsewhere; 409 when the number exists. */
  async publishNumbered(caller: Caller, agentId: number, version: string, notes: string) {
    return this.agentDb.withCompany(caller, async (tx) => {
      const made = await this.addNumbered(tx, agentId, version, notes);
      if (!made) throw conflict(`version ${version} exists already`);
      return made;
    });
  }

  /** Ignores a known version; false for a new one when there are `max` already. */
  async addReported(tx: Tx, agentId: number, version: string, max: number): Promise<boolean> {
    const [known] = await tx.query<{ has: boolean; count: number }>(COUNT_VERSIONS, [tx.companyId, agentId, version]);
    if (known?.has) return true;
    if ((known?.count ?? 0) >= max) return false;
    await this.addNumbered(tx, agentId, version, 'reported by a trace');
    return true;
  }

  /** Without a default release the latest version, else the draft. */
  override async resolveStanding(companyId: number, agentId: number): Promise<ResolvedTarget<AgentSnapshot>> {
    return (await super.resolveStanding(companyId, agentId)) ?? this.draft(companyId, agentId);
  }
}
