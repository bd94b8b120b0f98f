import { Injectable } from '@nestjs/common';
import { type Agent, type AgentKind, type AgentSummary, ApiError, notFound, emits } from '@signalbox/contracts';
import { ApplicationNames, CompanyRepository, Database, type Owner, type Tx } from '@signalbox/database';
import { auditedAction } from './audited-action.js';
import { AgentRow } from './agent.entity.js';
import { Drafts } from './drafts.repository.js';
import {
  AGENTS_NAMED,
  AGENTS_WITH_WORKFLOW,
  COUNT_USES_OF_MODEL,
  FIND_AGENT,
  KIND_OF_AGENT,
  TASKS,
  UNBIND_TASKS,
  view,
} from './agents.sql.js';

const MAX_ID = 2 ** 31 - 1;

const audited = (record: Record<string, unknown>): Record<string, unknown> => ({
  ...record,
  actions: (record.actions as Record<string, unknown>[]).map(auditedAction),
});

export const AGENT_TAKEN = { agents_name: 'an agent of this name exists already in the application' };

/** SQL: counts and parts are subselects of the read. */
@Injectable()
export class Agents extends CompanyRepository<AgentRow, Agent, AgentSummary> {
  readonly applications = new ApplicationNames('agents');

  constructor(
    db: Database,
    private readonly drafts: Drafts,
  ) {
    super(db, { entity: AgentRow, view, type: 'agent', uniqueViolations: AGENT_TAKEN, audited });
  }

  protected override written(tx: Tx, id: number): Promise<void> {
    return this.drafts.recomputeHash(tx, id);
  }

  async require(companyId: number, id: number): Promise<void> {
    if (!(await this.isAlive(companyId, id))) throw notFound('agent');
  }

  async kindOf(companyId: number, id: number): Promise<AgentKind> {
    const [row] = await this.db.select<{ kind: AgentKind }>(companyId, KIND_OF_AGENT, [id]);
    if (!row) throw notFound('agent');
    return row.kind;
  }

  private async isAlive(companyId: number, id: number): Promise<boolean> {
    const rows = await this.db.select(companyId, FIND_AGENT, [id]);
    return rows.length > 0;
  }

  /**
   * For a deleted application, to which no agent can be bound afterwards. Unbinds agents and unfinished tasks in
   * transactions that each lock few rows; returns the number of agents.
   */
  async unbind(owner: Owner, applicationId: number): Promise<number> {
    await this.db.withCompany(owner, (tx) => this.applications.remove(tx, applicationId));
    const free = () => ({ set: { application_id: null }, events: [emits('agent.updated')] });
    const bound = await this.changeEach(owner, { sql: 't.application_id = ?', value: applicationId }, free);
    for (let unbound = TASKS; unbound === TASKS;)
      unbound = await this.db.withCompany(owner, (tx) => this.unbindTasks(tx, applicationId));
    return bound;
  }

  private async unbindTasks(tx: Tx, applicationId: number): Promise<number> {
    const rows = await tx.query(UNBIND_TASKS, [tx.companyId, applicationId]);
    return rows.length;
  }

  /** By id, else by exact name in the application, else the only one of the name in the company. */
  async findNamed(companyId: number, name: string, applicationId: number | null): Promise<number> {
    const given = /^[1-9]\d{0,9}$/.test(name) ? Number(name) : 0;
    if (given > 0 && given <= MAX_ID && (await this.isAlive(companyId, given))) return given;
    const found = await this.db.select<{ id: number; application_id: number | null }>(companyId, AGENTS_NAMED, [name]);
    const own = found.find(({ application_id }) => application_id !== null && application_id === applicationId);
    const id = own?.id ?? (found.length === 1 ? found[0]?.id : undefined);
    if (id !== undefined) return id;
    if (found.length === 0) throw notFound('agent');
    const ids = found.map((agent) => agent.id);
    throw new ApiError('conflict', `${found.length} agents are named ${name}: ${ids.join(', ')}`, {
      code: 'ambiguous',
      details: ids.map((each) => ({ field: 'model', message: `agent:${each}` })),
    });
  }

  async withWorkflow(companyId: number, workflowId: number): Promise<{ agent_ids: number[]; total: number }> {
    const rows = await this.db.select<{ agent_id: number }>(companyId, AGENTS_WITH_WORKFLOW, [workflowId]);
    return { agent_ids: rows.slice(0, 20).map(({ agent_id }) => agent_id), total: rows.length };
  }

  async countModelUses(companyId: number, model: string): Promise<number> {
    const [row] = await this.db.select<{ agents: number }>(companyId, COUNT_USES_OF_MODEL, [model]);
    return row?.agents ?? 0;
  }
}
