import { Injectable } from '@nestjs/common';
import { type Agent, type AgentKind, type AgentSummary, ApiError, notFound, emits } from '@signalbox/contracts';
import { ApplicationNames, CompanyRepository, Database, type Owner, type Tx, type View } from '@signalbox/database';
import { auditedAction } from './audited-action.js';
import { ACTION_FIELDS_SQL } from './parts/action.part.js';
import { FORM_FIELDS } from './parts/form-field.part.js';
import { partsOfAgent } from './parts/ordered-child.js';
import { ROUTING_SQL } from './parts/rule.part.js';
import { LINKS } from './parts/link.part.js';
import { AgentRow } from './agent.entity.js';
import { AGENT_FIELDS, Drafts } from './drafts.repository.js';

/** Tasks that one transaction unbinds. */
const TASKS = 500;

const MAX_ID = 2 ** 31 - 1;
const OF_AGENT = 'a.company_id = t.company_id AND a.agent_id = t.id';

const view: View = {
  resource: 'agent',
  table: 'agents.agents',
  columns: ['id', 'application_id', 'kind', 'status', ...AGENT_FIELDS, 'mcp_servers', 'date_created', 'date_updated'],
  computed: {
    application_name: `(SELECT n.application_name FROM agents.application_names n
      WHERE n.company_id = t.company_id AND n.application_id = t.application_id)`,
    action_count: `(SELECT count(*)::int FROM agents.actions a WHERE ${OF_AGENT} AND a.deleted_at IS NULL)`,
    sub_agent_count: `(SELECT count(*)::int FROM agents.sub_agents a WHERE ${OF_AGENT} AND a.deleted_at IS NULL)`,
    latest_version: `(SELECT a.version_number FROM agents.agent_versions a WHERE ${OF_AGENT} AND a.is_latest)`,
    has_unpublished_changes: `t.kind = 'HOSTED' AND t.draft_hash IS DISTINCT FROM t.published_hash`,
  },
  detail: {
    actions: `COALESCE((SELECT json_agg(row_to_json(f) ORDER BY f.id) FROM (
      SELECT ${ACTION_FIELDS_SQL} FROM agents.actions a WHERE ${OF_AGENT} AND a.deleted_at IS NULL) f), '[]'::json)`,
    sub_agents: partsOfAgent(LINKS),
    routing: ROUTING_SQL,
    form_fields: partsOfAgent(FORM_FIELDS),
  },
  search: ['t.agent_name', 't.description'],
  sort: { agent_name: 't.agent_name', status: 't.status' },
  large: ['system_prompt', 'strategy_prompt_addendum'],
};

const audited = (record: Record<string, unknown>): Record<string, unknown> => ({
  ...record,
  actions: (record.actions as Record<string, unknown>[]).map(auditedAction),
});

/** The 409s of unique names. */
export const AGENT_TAKEN = { agents_name: 'an agent of this name exists already in the application' };

/**
 * Rows of agents.
 *
 * SQL: counts and parts are subselects of the read.
 */
@Injectable()
export class Agents extends CompanyRepository<AgentRow, Agent, AgentSummary> {
  readonly applications = new ApplicationNames('agents');

  constructor(
    db: Database,
    private readonly drafts: Drafts,
  ) {
    super(db, { entity: AgentRow, view, type: 'agent', taken: AGENT_TAKEN, audited });
  }

  protected override written(tx: Tx, id: number): Promise<void> {
    return this.drafts.recomputeHash(tx, id);
  }

  /** 404 when the agent does not exist in the company. */
  async require(companyId: number, id: number): Promise<void> {
    if (!(await this.isAlive(companyId, id))) throw notFound('agent');
  }

  /** Where an agent runs; 404 when it does not exist in the company. */
  async kindOf(companyId: number, id: number): Promise<AgentKind> {
    const [row] = await this.db.select<{ kind: AgentKind }>(
      companyId,
      `SELECT a.* FROM s, LATERAL (SELECT t.kind FROM agents.agents t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) a`,
      [id],
    );
    if (!row) throw notFound('agent');
    return row.kind;
  }

  private async isAlive(companyId: number, id: number): Promise<boolean> {
    const rows = await this.db.select(
      companyId,
      `SELECT a.* FROM s, LATERAL (SELECT 1 FROM agents.agents t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) a`,
      [id],
    );
    return rows.length > 0;
  }

  /**
   * Unbinds the agents and unfinished tasks of a deleted application, to which no agent can be bound afterwards, in
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
    const rows = await tx.query(
      `UPDATE agents.tasks SET application_id = NULL WHERE company_id = $1 AND id = ANY (ARRAY(
         SELECT id FROM agents.tasks WHERE company_id = $1 AND application_id = $2 AND completed_at IS NULL
         ORDER BY id LIMIT ${TASKS} FOR NO KEY UPDATE)) RETURNING 1`,
      [tx.companyId, applicationId],
    );
    return rows.length;
  }

  /** The agent with this id, else that of this exact name in the application, else the only one of it in the company. */
  async findNamed(companyId: number, name: string, applicationId: number | null): Promise<number> {
    const given = /^[1-9]\d{0,9}$/.test(name) ? Number(name) : 0;
    if (given > 0 && given <= MAX_ID && (await this.isAlive(companyId, given))) return given;
    const found = await this.db.select<{ id: number; application_id: number | null }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.application_id FROM agents.agents t
         WHERE t.company_id = s.company AND t.agent_name = $2 AND t.deleted_at IS NULL ORDER BY t.id LIMIT 100 OFFSET 0) x`,
      [name],
    );
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
    const rows = await this.db.select<{ agent_id: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT DISTINCT a.agent_id FROM agents.actions a
         JOIN agents.agents t ON ${OF_AGENT} AND t.deleted_at IS NULL
         WHERE a.company_id = s.company AND a.deleted_at IS NULL AND a.action_type = 'maitai_workflow'
           AND (a.action_config->>'workflow_id')::int = $2 ORDER BY a.agent_id OFFSET 0) x`,
      [workflowId],
    );
    return { agent_ids: rows.slice(0, 20).map(({ agent_id }) => agent_id), total: rows.length };
  }

  async countModelUses(companyId: number, model: string): Promise<number> {
    const path = `'$.**.model ? (@ == $model)'`;
    const named = (json: string): string =>
      `jsonb_path_exists(${json}, ${path}, jsonb_build_object('model', $2::text))`;
    const [row] = await this.db.select<{ agents: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS agents FROM agents.agents t
         WHERE t.company_id = s.company AND t.deleted_at IS NULL AND (t.model = $2 OR ${named('t.agent_config')}
           OR EXISTS (SELECT 1 FROM agents.actions a WHERE ${OF_AGENT} AND a.deleted_at IS NULL AND ${named('a.action_config')})
           OR EXISTS (SELECT 1 FROM agents.agent_versions a WHERE ${OF_AGENT} AND ${named('a.snapshot')})) OFFSET 0) x`,
      [model],
    );
    return row?.agents ?? 0;
  }
}
