import { Injectable } from '@nestjs/common';
import { type Agent, type AgentSummary, type Application, notFound } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx, type View } from '@signalbox/database';
import { auditedAction } from '../actions/action.js';
import { ACTION_FIELDS_SQL } from '../actions/actions.repository.js';
import { FORM_FIELDS } from '../form-fields/form-field.part.js';
import { partsOfAgent } from '../ordering/part.js';
import { ROUTING_SQL } from '../routing/rule.part.js';
import { LINKS } from '../sub-agents/link.part.js';
import { AgentRow } from './agent.entity.js';
import { Drafts } from './drafts.repository.js';

const OF_AGENT = 'a.company_id = t.company_id AND a.agent_id = t.id';

const view: View = {
  resource: 'agent',
  table: 'agents.agents',
  columns: [
    'id',
    'application_id',
    'agent_name',
    'description',
    'status',
    'execution_mode',
    'model',
    'system_prompt',
    'strategy_prompt_addendum',
    'agent_config',
    'max_iterations',
    'max_cost',
    'response_format',
    'base_url',
    'meta',
    'date_created',
    'date_updated',
  ],
  computed: {
    application_name: `(SELECT n.application_name FROM agents.application_names n
      WHERE n.company_id = t.company_id AND n.application_id = t.application_id)`,
    action_count: `(SELECT count(*)::int FROM agents.actions a WHERE ${OF_AGENT} AND a.deleted_at IS NULL)`,
    sub_agent_count: `(SELECT count(*)::int FROM agents.sub_agents a WHERE ${OF_AGENT} AND a.deleted_at IS NULL)`,
    latest_version: `(SELECT a.version_number FROM agents.agent_versions a WHERE ${OF_AGENT} AND a.is_latest)`,
    has_unpublished_changes: 't.draft_hash IS DISTINCT FROM t.published_hash',
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

/** Rows of agents. */
@Injectable()
export class Agents extends CompanyRepository<AgentRow, Agent, AgentSummary> {
  constructor(
    db: Database,
    private readonly drafts: Drafts,
  ) {
    super(db, { entity: AgentRow, view, type: 'agent', taken: AGENT_TAKEN, audited });
  }

  protected override written(tx: Tx, id: number): Promise<void> {
    return this.drafts.touch(tx, id);
  }

  /** 404 when the agent does not exist in the company. */
  async require(companyId: number, id: number): Promise<void> {
    const rows = await this.db.select(
      companyId,
      `SELECT a.* FROM s, LATERAL (SELECT 1 FROM agents.agents t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) a`,
      [id],
    );
    if (rows.length === 0) throw notFound('agent');
  }

  /** Remembers what an application is called now; an older name never replaces a newer one. */
  async nameApplication(
    tx: Tx,
    { id, application_name, date_updated }: Pick<Application, 'id' | 'application_name' | 'date_updated'>,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO agents.application_names AS n (company_id, application_id, application_name, date_updated)
       VALUES ($1, $2, $3, $4)
       ON CONFLICT (company_id, application_id) DO UPDATE
         SET application_name = EXCLUDED.application_name, date_updated = EXCLUDED.date_updated
         WHERE n.date_updated <= EXCLUDED.date_updated`,
      [tx.companyId, id, application_name, date_updated],
    );
  }
}
