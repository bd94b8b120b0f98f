import { Injectable } from '@nestjs/common';
import {
  type Agent,
  type AgentImport,
  type Application,
  type Caller,
  conflict,
  type ImportedAgent,
  type ImportWarning,
  type JsonText,
  type ManifestAgent,
  type OnOff,
  type SubAgentLink,
  emits,
} from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { ACTION_TAKEN } from '../actions/actions.repository.js';
import { AGENT_TAKEN, Agents } from '../agents/agents.repository.js';
import { type AgentSnapshot, split } from '../agents/agent-snapshot.js';
import { DraftParts } from '../agents/draft-parts.repository.js';
import { Drafts } from '../agents/drafts.repository.js';
import { SubAgents } from '../sub-agents/sub-agents.repository.js';
import {
  draftOf,
  type FullManifest,
  type Handoff,
  unlistedParts,
  manifestOf,
  merged,
  nameOfHandoff,
  unchanged,
} from './manifest.js';
import { withTargets } from './manifest-references.js';
import { checkRoutes, childrenFirst } from './manifest-checks.js';

/** The input of an import. */
export interface ImportInput {
  agents: ManifestAgent[];
  /** Warnings about parts that were left out before. */
  warnings: ImportWarning[];
  on_conflict: 'error' | 'update';
  prune: boolean;
}

/** Matches no application, because ids begin at 1. */
const NO_APPLICATION = 0;

/** Creates the application that agents are imported into. */
export type CreateApplication = () => Promise<Application>;

/** The planned import of one agent. */
interface AgentPlan {
  input: ManifestAgent;
  draft: AgentSnapshot | null;
  before: FullManifest | null;
  after: FullManifest;
  /** Ids of the agents that it may refer to, by name. */
  targets: ReadonlyMap<string, number>;
}

/** The planned import of all agents, and warnings about what is left out. */
interface ImportPlan {
  plans: AgentPlan[];
  warnings: ImportWarning[];
}

/**
 * Copies of agents: clones, and agents from manifests.
 *
 * SQL: names resolve in batches by `= ANY`, locked in the order of ids.
 */
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
  import(caller: Caller, into: Application | CreateApplication, input: ImportInput): Promise<AgentImport> {
    const work = (tx: Tx): Promise<AgentImport> =>
      typeof into === 'function' ? this.importIntoNew(tx, into, input) : this.importInto(tx, into, input);
    return this.db.withCompany(caller, work, { ...AGENT_TAKEN, ...ACTION_TAKEN });
  }

  private async importInto(tx: Tx, application: Application, input: ImportInput): Promise<AgentImport> {
    await this.agents.bindApplication(tx, application);
    const ids = await this.lockNamed(tx, application.id, input);
    return this.execute(tx, application.id, await this.planAll(tx, application.id, input, ids), input, ids);
  }

  /**
   * Creates the application after all validation, under the lock that the deletion of a named agent waits for: an
   * import that is refused leaves no empty application behind.
   */
  private async importIntoNew(tx: Tx, createApplication: CreateApplication, input: ImportInput): Promise<AgentImport> {
    const ids = new Map<string, number>();
    const plans = await this.planAll(tx, NO_APPLICATION, input, ids);
    const application = await createApplication();
    await this.agents.bindApplication(tx, application);
    return this.execute(tx, application.id, plans, input, ids);
  }

  /** Plans the import of each agent, children first; all validation happens here. */
  private async planAll(
    tx: Tx,
    applicationId: number,
    input: ImportInput,
    ids: Map<string, number>,
  ): Promise<ImportPlan> {
    await this.links.lockLinks(tx);
    await this.resolve(tx, applicationId, input.agents, ids);
    const plans: AgentPlan[] = [];
    const warnings = [...input.warnings];
    for (const agent of childrenFirst(input.agents)) plans.push(await this.plan(tx, agent, input, ids, warnings));
    return { plans, warnings };
  }

  private async execute(
    tx: Tx,
    applicationId: number,
    { plans, warnings }: ImportPlan,
    { agents, prune }: ImportInput,
    ids: Map<string, number>,
  ): Promise<AgentImport> {
    const done = new Map<string, Omit<ImportedAgent, 'warnings'>>();
    for (const plan of plans) {
      done.set(plan.input.name, await this.apply(tx, applicationId, plan, ids));
      const path = `agents[${agents.indexOf(plan.input)}]`;
      warnings.push(...unlistedParts(plan.before, plan.input, prune).map((message) => ({ path, message })));
    }
    const of = (at: number): ImportWarning[] =>
      warnings.filter(({ path }) => path === `agents[${at}]` || path.startsWith(`agents[${at}].`));
    return {
      application_id: applicationId,
      agents: agents.flatMap(({ name }, at) => {
        const agent = done.get(name);
        return agent ? [{ ...agent, warnings: of(at) }] : [];
      }),
      warnings,
    };
  }

  /** The names of agents, including deleted ones. */
  async namesOf(companyId: number, ids: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.db.select<{ id: number; agent_name: string }>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT t.id, t.agent_name FROM agents.agents t
         WHERE t.company_id = s.company AND t.id = ANY($2::int[]) OFFSET 0) r`,
      [ids],
    );
    return new Map(rows.map(({ id, agent_name }) => [id, agent_name]));
  }

  /**
   * Locks the agents that exist already, in the order of their ids; 409 when `on_conflict` is `error` and one exists.
   */
  private async lockNamed(
    tx: Tx,
    applicationId: number,
    { agents, on_conflict }: ImportInput,
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

  /** Finds the handoff targets that are in the application and not in the manifest. */
  private async resolve(
    tx: Tx,
    applicationId: number,
    agents: readonly ManifestAgent[],
    ids: Map<string, number>,
  ): Promise<void> {
    const own = new Set(agents.map(({ name }) => name));
    const rows = await tx.query<{ agent_name: string; id: number }>(
      `SELECT agent_name, id FROM agents.agents WHERE company_id = $1 AND application_id = $2
         AND agent_name = ANY($3::text[]) AND deleted_at IS NULL`,
      [tx.companyId, applicationId, agents.flatMap(({ handoffs = [] }) => handoffs.map(nameOfHandoff))],
    );
    for (const { agent_name, id } of rows) if (!own.has(agent_name)) ids.set(agent_name, id);
  }

  private async plan(
    tx: Tx,
    agent: ManifestAgent,
    { agents, prune }: ImportInput,
    ids: Map<string, number>,
    warnings: ImportWarning[],
  ): Promise<AgentPlan> {
    const known = ids.get(agent.name);
    const current = known === undefined ? null : await this.drafts.freeze(tx, known);
    const names = current ? await this.childNames(tx, current) : new Map<number, string>();
    const before = current && known !== undefined ? manifestOf(current, names, await this.statusOf(tx, known)) : null;
    const after = merged(before, agent, prune);
    const at = agents.indexOf(agent);
    checkRoutes(after, at);
    // An existing link of the agent is kept, whatever its target.
    const targets = new Map([...[...names].map(([id, name]) => [name, id] as const), ...ids]);
    const own = new Set(agents.map(({ name }) => name));
    const pins = await this.pinsOf(tx, after.handoffs, targets);
    const has = {
      has: (name: string) => own.has(name) || targets.has(name),
      hasVersion: (name: string, version: string) => pins.has(`${name}@${version}`),
      hasRelease: (name: string, release: string) => pins.has(`${name}@${release}`),
    };
    return { input: agent, draft: current, before, after: withTargets(after, at, has, warnings), targets };
  }

  private async statusOf(tx: Tx, id: number): Promise<OnOff> {
    const [row] = await tx.query<{ status: OnOff }>(
      'SELECT status FROM agents.agents WHERE company_id = $1 AND id = $2',
      [tx.companyId, id],
    );
    return row?.status ?? 'ENABLED';
  }

  /** The versions and releases that handoffs may be pinned to, as `name@version` and `name@release`. */
  private async pinsOf(
    tx: Tx,
    handoffs: readonly Handoff[],
    targets: ReadonlyMap<string, number>,
  ): Promise<Set<string>> {
    const pinned = handoffs.filter(({ version, release }) => version !== null || release !== null);
    const found = new Set<string>();
    for (const { name, version, release } of pinned) {
      const rows = await tx.query<{ pin: string }>(
        `SELECT v.version_number AS pin FROM agents.agent_versions v
         WHERE v.company_id = $1 AND v.agent_id = $2 AND v.version_number = $3
         UNION ALL
         SELECT l.name FROM agents.agent_releases l
         WHERE l.company_id = $1 AND l.agent_id = $2 AND l.name = $4 AND l.deleted_at IS NULL`,
        [tx.companyId, targets.get(name) ?? 0, version, release],
      );
      for (const { pin } of rows) found.add(`${name}@${pin}`);
    }
    return found;
  }

  private async apply(
    tx: Tx,
    applicationId: number,
    { input, draft: current, before, after, targets }: AgentPlan,
    ids: Map<string, number>,
  ): Promise<Omit<ImportedAgent, 'warnings'>> {
    const known = ids.get(input.name);
    const same = before !== null && unchanged(before, after);
    const draft = draftOf(after, current, new Map([...targets, ...ids]));
    const written = { draft, status: after.status, was: before?.status ?? after.status };
    const id = same && known !== undefined ? known : await this.write(tx, applicationId, written, known);
    ids.set(after.name, id);
    return this.report(tx, id, {
      name: input.name,
      status: same ? 'unchanged' : known === undefined ? 'created' : 'updated',
    });
  }

  /** The names of an agent's sub-agents. */
  private async childNames(tx: Tx, draft: AgentSnapshot): Promise<Map<number, string>> {
    const rows = await tx.query<{ id: number; agent_name: string }>(
      'SELECT id, agent_name FROM agents.agents WHERE company_id = $1 AND id = ANY($2::int[])',
      [tx.companyId, draft.sub_agents.map(({ child_agent_id }) => child_agent_id)],
    );
    return new Map(rows.map(({ id, agent_name }) => [id, agent_name]));
  }

  private async write(
    tx: Tx,
    applicationId: number,
    { draft, status, was }: { draft: AgentSnapshot; status: OnOff; was: OnOff },
    known: number | undefined,
  ): Promise<number> {
    if (known === undefined) {
      const created = await this.create(tx, applicationId, draft, status, 'import');
      return (JSON.parse(created.text) as Agent).id;
    }
    const { fields, parts } = split(draft);
    const switched = status === was ? [] : [emits(status === 'ENABLED' ? 'agent.enabled' : 'agent.disabled')];
    const rule = () => ({ set: fields, events: [emits('agent.updated'), ...switched], action: 'import' });
    await this.agents.changeIn(tx, known, rule, async (_tx, _row, decision) => {
      decision.set = { ...fields, status, routing: await this.parts.write(tx, known, parts) };
    });
    return known;
  }

  private create(
    tx: Tx,
    applicationId: number,
    draft: AgentSnapshot,
    status: Agent['status'],
    action: 'create' | 'import' = 'create',
  ): Promise<JsonText<Agent>> {
    const { fields, parts } = split(draft);
    const values = { ...fields, application_id: applicationId, status };
    const fill = async (id: number): Promise<void> => {
      const routing = await this.parts.write(tx, id, parts);
      await tx.query('UPDATE agents.agents SET routing = $3 WHERE company_id = $1 AND id = $2', [
        tx.companyId,
        id,
        JSON.stringify(routing),
      ]);
    };
    return this.agents.createIn(tx, values, [emits('agent.created')], fill, action);
  }

  private async report(
    tx: Tx,
    id: number,
    outcome: Pick<ImportedAgent, 'name' | 'status'>,
  ): Promise<Omit<ImportedAgent, 'warnings'>> {
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
