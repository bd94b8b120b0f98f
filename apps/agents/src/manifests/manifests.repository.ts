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
} from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { ACTION_TAKEN } from '../actions/index.js';
import { AGENT_TAKEN, Agents, type AgentSnapshot, Drafts } from '../drafts/index.js';
import { McpServers } from '../mcp-servers/index.js';
import { SubAgents } from '../sub-agents/index.js';
import { draftOf, type FullManifest, manifestOf, merged, unchanged, unlistedParts } from './manifest.js';
import type { ImportInput } from './import-input.js';
import { AgentCopies } from './agent-copies.repository.js';
import { NamedAgents } from './named-agents.repository.js';
import { withServers, withTargets } from './manifest-references.js';
import { checkRoutes, childrenFirst } from './manifest-checks.js';

/** Matches no application, because ids begin at 1. */
const NO_APPLICATION = 0;

interface AgentPlan {
  input: ManifestAgent;
  draft: AgentSnapshot | null;
  before: FullManifest | null;
  after: FullManifest;
  targets: ReadonlyMap<string, number>;
  servers: ReadonlyMap<string, number>;
}

interface ImportPlan {
  plans: AgentPlan[];
  warnings: ImportWarning[];
}

@Injectable()
export class Manifests {
  constructor(
    private readonly db: Database,
    private readonly agents: Agents,
    private readonly drafts: Drafts,
    private readonly links: SubAgents,
    private readonly named: NamedAgents,
    private readonly copies: AgentCopies,
    private readonly servers: McpServers,
  ) {}

  clone(caller: Caller, agentId: number, name: string, application: Application | null): Promise<JsonText<Agent>> {
    return this.db.withCompany(
      caller,
      async (tx) => {
        const { row } = await this.agents.lock(tx, agentId);
        const draft = { ...(await this.drafts.freeze(tx, agentId)), agent_name: name };
        // The same order of locks as in imports.
        await this.links.lockLinks(tx);
        if (application) await this.agents.applications.bind(tx, application);
        const applicationId = application?.id ?? row.application_id;
        if (applicationId === null) throw conflict(`agent ${agentId} has no application: name one for the copy`);
        return this.copies.create(tx, applicationId, draft, row.status);
      },
      AGENT_TAKEN,
    );
  }

  async check({ companyId }: Caller, input: ImportInput): Promise<void> {
    await this.db.withCompany({ companyId }, (tx) => this.planAll(tx, NO_APPLICATION, input, new Map()));
  }

  import(caller: Caller, application: Application, input: ImportInput): Promise<AgentImport> {
    const work = async (tx: Tx): Promise<AgentImport> => {
      const ids = await this.named.lockNamed(tx, application.id, input);
      const plans = await this.planAll(tx, application.id, input, ids);
      // After the lock of the links: an import that waits for it must not block the one that holds it.
      await this.agents.applications.bind(tx, application);
      return this.execute(tx, application.id, plans, input, ids);
    };
    return this.db.withCompany(caller, work, { ...AGENT_TAKEN, ...ACTION_TAKEN });
  }

  /** All validation happens here; children come first. */
  private async planAll(
    tx: Tx,
    applicationId: number,
    input: ImportInput,
    ids: Map<string, number>,
  ): Promise<ImportPlan> {
    await this.links.lockLinks(tx);
    await this.named.resolve(tx, applicationId, input.agents, ids);
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

  private async plan(
    tx: Tx,
    agent: ManifestAgent,
    { agents, prune }: ImportInput,
    ids: Map<string, number>,
    warnings: ImportWarning[],
  ): Promise<AgentPlan> {
    const known = ids.get(agent.name);
    const current = known === undefined ? null : await this.drafts.freeze(tx, known);
    const names = current ? await this.named.childNames(tx, current) : new Map<number, string>();
    const before =
      current && known !== undefined ? manifestOf(current, names, await this.named.statusOf(tx, known)) : null;
    const after = merged(before, agent, prune);
    const at = agents.indexOf(agent);
    checkRoutes(after, at);
    // An existing link of the agent is kept, whatever its target.
    const targets = new Map([...[...names].map(([id, name]) => [name, id] as const), ...ids]);
    const own = new Set(agents.map(({ name }) => name));
    const pins = await this.named.pinsOf(tx, after.handoffs, targets);
    const has = {
      has: (name: string) => own.has(name) || targets.has(name),
      versionOf: (name: string, version: string) => pins.get(`${name}@${version}`) ?? null,
      hasRelease: (name: string, release: string) => pins.has(`${name}@${release}`),
    };
    const servers = await this.servers.idsOf(tx, after.mcp_servers);
    if (agent.mcp_servers) await this.servers.requireUsable(tx, [...servers.values()], `agents[${at}].mcp_servers`);
    const resolved = withTargets(withServers(after, at, servers, warnings), at, has, warnings);
    return { input: agent, draft: current, before, after: resolved, targets, servers };
  }

  private async apply(
    tx: Tx,
    applicationId: number,
    { input, draft: current, before, after, targets, servers }: AgentPlan,
    ids: Map<string, number>,
  ): Promise<Omit<ImportedAgent, 'warnings'>> {
    const known = ids.get(input.name);
    const same = before !== null && unchanged(before, after);
    const draft = draftOf(after, current, new Map([...targets, ...ids]), servers);
    const written = { draft, status: after.status, was: before?.status ?? after.status };
    const id = same && known !== undefined ? known : await this.copies.write(tx, applicationId, written, known);
    ids.set(after.name, id);
    return this.copies.report(tx, id, {
      name: input.name,
      status: same ? 'unchanged' : known === undefined ? 'created' : 'updated',
    });
  }
}
