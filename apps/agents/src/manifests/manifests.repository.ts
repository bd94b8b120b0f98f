import { Injectable } from '@nestjs/common';
import {
  type Agent,
  type AgentImport,
  type Application,
  type Caller,
  conflict,
  type ImportedAgent,
  invalid,
  type JsonText,
  type ManifestAgent,
  type SubAgentLink,
} from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { ACTION_TAKEN } from '../actions/actions.repository.js';
import { AGENT_TAKEN, Agents } from '../agents/agents.repository.js';
import { type AgentSnapshot, split } from '../agents/agent-snapshot.js';
import { DraftParts } from '../agents/draft-parts.repository.js';
import { Drafts } from '../agents/drafts.repository.js';
import { SubAgents } from '../sub-agents/sub-agents.repository.js';
import { draftOf, type FullManifest, leftovers, manifestOf, merged, unchanged } from './manifest.js';
import { checkRoutes, inOrder } from './manifest-checks.js';

/** What an import is asked to do. */
export interface ImportWish {
  agents: ManifestAgent[];
  on_conflict: 'error' | 'update';
  prune: boolean;
}

/** No application has it, for ids begin at 1. */
const NO_APPLICATION = 0;

/** Makes the application that agents are imported into. */
export type MakeApplication = () => Promise<Application>;

/** What an import has found out about one agent before it writes any. */
interface Plan {
  wish: ManifestAgent;
  now: AgentSnapshot | null;
  before: FullManifest | null;
  after: FullManifest;
}

/** Copies of agents: clones, and agents from manifests. */
@Injectable()
export class Manifests {
  constructor(
    private readonly db: Database,
    private readonly agents: Agents,
    private readonly drafts: Drafts,
    private readonly parts: DraftParts,
    private readonly links: SubAgents,
  ) {}

  /** Copies the draft of an agent under a new name, into another application when one is given. */
  clone(caller: Caller, agentId: number, name: string, application: Application | null): Promise<JsonText<Agent>> {
    return this.db.withCompany(
      caller,
      async (tx) => {
        const { row } = await this.agents.lock(tx, agentId);
        const draft = { ...(await this.drafts.freeze(tx, agentId)), agent_name: name };
        if (application) await this.agents.bindApplication(tx, application);
        const applicationId = application?.id ?? row.application_id;
        if (applicationId === null) throw conflict(`agent ${agentId} has no application: name one for the copy`);
        return this.create(tx, applicationId, draft, row.status);
      },
      AGENT_TAKEN,
    );
  }

  /** Creates and updates the agents of a manifest in one transaction. */
  import(caller: Caller, into: Application | MakeApplication, wish: ImportWish): Promise<AgentImport> {
    const work = (tx: Tx): Promise<AgentImport> =>
      typeof into === 'function' ? this.importIntoNew(tx, into, wish) : this.importInto(tx, into, wish);
    return this.db.withCompany(caller, work, { ...AGENT_TAKEN, ...ACTION_TAKEN });
  }

  private async importInto(tx: Tx, application: Application, wish: ImportWish): Promise<AgentImport> {
    await this.agents.bindApplication(tx, application);
    const ids = await this.lockNamed(tx, application.id, wish);
    return this.carryOut(tx, application.id, await this.plans(tx, application.id, wish, ids), wish, ids);
  }

  /**
   * The application is made once everything that can be refused has been judged, under the lock that the deletion of a
   * named agent waits for: an import that is refused leaves no empty application behind.
   */
  private async importIntoNew(tx: Tx, make: MakeApplication, wish: ImportWish): Promise<AgentImport> {
    const ids = new Map<string, number>();
    const plans = await this.plans(tx, NO_APPLICATION, wish, ids);
    const application = await make();
    await this.agents.bindApplication(tx, application);
    return this.carryOut(tx, application.id, plans, wish, ids);
  }

  /** What is to be done to each agent, children first; everything that can be refused is refused here. */
  private async plans(tx: Tx, applicationId: number, wish: ImportWish, ids: Map<string, number>): Promise<Plan[]> {
    await this.links.lockLinks(tx);
    await this.resolve(tx, applicationId, wish.agents, ids);
    const plans: Plan[] = [];
    for (const agent of inOrder(wish.agents)) plans.push(await this.plan(tx, agent, wish, ids));
    return plans;
  }

  private async carryOut(
    tx: Tx,
    applicationId: number,
    plans: readonly Plan[],
    { agents, prune }: ImportWish,
    ids: Map<string, number>,
  ): Promise<AgentImport> {
    const done = new Map<string, ImportedAgent>();
    for (const plan of plans) done.set(plan.wish.name, await this.apply(tx, applicationId, plan, prune, ids));
    return {
      application_id: applicationId,
      agents: agents.flatMap(({ name }) => done.get(name) ?? []),
      warnings: [],
    };
  }

  /** What agents are called, the deleted included. */
  async namesOf(companyId: number, ids: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.db.select<{ id: number; agent_name: string }>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT t.id, t.agent_name FROM agents.agents t
         WHERE t.company_id = s.company AND t.id = ANY($2::int[]) OFFSET 0) r`,
      [ids],
    );
    return new Map(rows.map(({ id, agent_name }) => [id, agent_name]));
  }

  /** Locks the agents that are there already, in the order of their ids; 409 when there must be none. */
  private async lockNamed(
    tx: Tx,
    applicationId: number,
    { agents, on_conflict }: ImportWish,
  ): Promise<Map<string, number>> {
    const rows = await tx.query<{ id: number; agent_name: string }>(
      `SELECT id, agent_name FROM agents.agents WHERE company_id = $1 AND application_id = $2
         AND agent_name = ANY($3::text[]) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
      [tx.companyId, applicationId, agents.map(({ name }) => name)],
    );
    if (on_conflict === 'error' && rows.length > 0)
      throw conflict(
        'agents of these names exist already in the application',
        rows.map(({ agent_name }) => ({
          field: `agents[${agents.findIndex(({ name }) => name === agent_name)}].name`,
          message: 'exists already',
        })),
      );
    return new Map(rows.map(({ agent_name, id }) => [agent_name, id]));
  }

  /** Finds the agents that are handed over to beside those of the manifest: in the application, else in the company. */
  private async resolve(
    tx: Tx,
    applicationId: number,
    agents: readonly ManifestAgent[],
    ids: Map<string, number>,
  ): Promise<void> {
    const own = new Set(agents.map(({ name }) => name));
    const rows = await tx.query<{ agent_name: string; id: number; copies: number }>(
      `SELECT DISTINCT ON (agent_name) agent_name, id,
         CASE WHEN application_id = $2 THEN 1 ELSE count(*) OVER (PARTITION BY agent_name)::int END AS copies
       FROM agents.agents WHERE company_id = $1 AND agent_name = ANY($3::text[]) AND deleted_at IS NULL
       ORDER BY agent_name, application_id <> $2`,
      [tx.companyId, applicationId, agents.flatMap(({ handoffs = [] }) => handoffs)],
    );
    for (const { agent_name, id, copies } of rows) if (copies === 1 && !own.has(agent_name)) ids.set(agent_name, id);
    const unknown = agents.flatMap(({ handoffs = [] }, at) =>
      handoffs.flatMap((name, index) =>
        own.has(name) || ids.has(name)
          ? []
          : [{ field: `agents[${at}].handoffs[${index}]`, message: 'names no agent, or more than one' }],
      ),
    );
    if (unknown.length > 0) throw invalid(unknown);
  }

  private async plan(
    tx: Tx,
    wish: ManifestAgent,
    { agents, prune }: ImportWish,
    ids: Map<string, number>,
  ): Promise<Plan> {
    const known = ids.get(wish.name);
    const now = known === undefined ? null : await this.drafts.freeze(tx, known);
    const before = now && manifestOf(now, await this.childNames(tx, now, ids));
    const after = merged(before, wish, prune);
    checkRoutes(after, agents.indexOf(wish));
    return { wish, now, before, after };
  }

  private async apply(
    tx: Tx,
    applicationId: number,
    { wish, now, before, after }: Plan,
    prune: boolean,
    ids: Map<string, number>,
  ): Promise<ImportedAgent> {
    const known = ids.get(wish.name);
    const same = before !== null && unchanged(before, after);
    const id = same && known !== undefined ? known : await this.write(tx, applicationId, after, now, known, ids);
    return this.report(tx, id, {
      name: wish.name,
      status: same ? 'unchanged' : known === undefined ? 'created' : 'updated',
      warnings: leftovers(before, wish, prune),
    });
  }

  /** What the sub-agents of an agent are called; their names are known from then on. */
  private async childNames(tx: Tx, now: AgentSnapshot, ids: Map<string, number>): Promise<Map<number, string>> {
    const rows = await tx.query<{ id: number; agent_name: string }>(
      'SELECT id, agent_name FROM agents.agents WHERE company_id = $1 AND id = ANY($2::int[])',
      [tx.companyId, now.sub_agents.map(({ child_agent_id }) => child_agent_id)],
    );
    for (const { id, agent_name } of rows) if (!ids.has(agent_name)) ids.set(agent_name, id);
    return new Map(rows.map(({ id, agent_name }) => [id, agent_name]));
  }

  private async write(
    tx: Tx,
    applicationId: number,
    after: FullManifest,
    now: AgentSnapshot | null,
    known: number | undefined,
    ids: Map<string, number>,
  ): Promise<number> {
    const draft = draftOf(after, now, ids);
    if (known === undefined) {
      const made = await this.create(tx, applicationId, draft, 'ENABLED');
      const { id } = JSON.parse(made.text) as Agent;
      ids.set(after.name, id);
      return id;
    }
    const { fields, parts } = split(draft);
    const rule = () => ({ set: fields, events: [{ event: 'agent.updated' }], action: 'import' });
    await this.agents.changeIn(tx, known, rule, async (_tx, _row, decision) => {
      decision.set = { ...fields, routing: await this.parts.write(tx, known, parts) };
    });
    return known;
  }

  private create(
    tx: Tx,
    applicationId: number,
    draft: AgentSnapshot,
    status: Agent['status'],
  ): Promise<JsonText<Agent>> {
    const { fields, parts } = split(draft);
    const values = { ...fields, application_id: applicationId, status };
    return this.agents.createIn(tx, values, [{ event: 'agent.created' }], async (id) => {
      const routing = await this.parts.write(tx, id, parts);
      await tx.query('UPDATE agents.agents SET routing = $3 WHERE company_id = $1 AND id = $2', [
        tx.companyId,
        id,
        JSON.stringify(routing),
      ]);
    });
  }

  private async report(
    tx: Tx,
    id: number,
    outcome: Pick<ImportedAgent, 'name' | 'status' | 'warnings'>,
  ): Promise<ImportedAgent> {
    const actions = await tx.query<{ id: number }>(
      'SELECT id FROM agents.actions WHERE company_id = $1 AND agent_id = $2 AND deleted_at IS NULL ORDER BY id',
      [tx.companyId, id],
    );
    const links = await this.links.all(tx, id);
    return {
      ...outcome,
      id,
      action_ids: actions.map((action) => action.id),
      subagent_links: JSON.parse(links.text) as SubAgentLink[],
    };
  }
}
