import { Injectable } from '@nestjs/common';
import type { AgentAction } from '@signalbox/contracts';
import { notFound, emits } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx } from '@signalbox/database';
import { ACTION_FIELDS, ACTION_VIEW, type ActionDraft, auditedAction, Drafts } from '../drafts/index.js';
import { ActionRow } from './action.entity.js';

/** The 409s of unique names. */
export const ACTION_TAKEN = { actions_name: 'an action of this name exists already on the agent' };

export interface ActionOfAgent extends ActionDraft {
  base_url: string | null;
  model: string | null;
  application_id: number | null;
}

/** The actions of a snapshot as rows `n`. */
const NEW_ROWS = `jsonb_to_recordset($3::jsonb) AS n(id int, action_name text, action_type text, description text,
  enabled boolean, action_config jsonb, meta jsonb, is_default boolean, action_result_type text, invocation_mode text)`;
const NAMED = `NOT EXISTS (SELECT 1 FROM agents.actions o WHERE o.company_id = $1 AND o.agent_id = $2
  AND o.deleted_at IS NULL AND o.action_name = n.action_name)`;
const ASSIGNED = ACTION_FIELDS.map((field) => `${field} = n.${field}`).join(', ');

/**
 * Rows of actions. Every write locks the agent first, so that rules over all of its actions hold.
 *
 * SQL: the row of the agent is locked first, and one UPDATE clears the former default.
 */
@Injectable()
export class Actions extends CompanyRepository<ActionRow, AgentAction> {
  constructor(
    db: Database,
    private readonly drafts: Drafts,
  ) {
    super(db, {
      entity: ActionRow,
      view: ACTION_VIEW,
      type: 'agent_action',
      taken: ACTION_TAKEN,
      audited: auditedAction,
    });
  }

  protected override async written(tx: Tx, id: number): Promise<void> {
    const [row] = await tx.query<{ agent_id: number }>(
      'SELECT agent_id FROM agents.actions WHERE company_id = $1 AND id = $2',
      [tx.companyId, id],
    );
    if (row) await this.drafts.recomputeHash(tx, row.agent_id);
  }

  /** The row lock under which an agent's actions are written; 404 when the agent does not exist. */
  async lockAgent(tx: Tx, agentId: number): Promise<void> {
    const rows = await tx.query(
      'SELECT 1 FROM agents.agents WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE',
      [tx.companyId, agentId],
    );
    if (rows.length === 0) throw notFound('agent');
  }

  /** Locks the agent before the action; every writer uses this order. */
  override async lock(tx: Tx, id: number) {
    await tx.query(
      `SELECT 1 FROM agents.agents WHERE company_id = $1
         AND id = (SELECT agent_id FROM agents.actions WHERE company_id = $1 AND id = $2) FOR NO KEY UPDATE`,
      [tx.companyId, id],
    );
    return super.lock(tx, id);
  }

  /** An action with what its agent gives to a call of it; 404 when it does not exist. */
  async getWithAgent(companyId: number, id: number): Promise<ActionOfAgent> {
    const [action] = await this.db.select<ActionOfAgent>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.action_name, t.action_type, t.description, t.enabled, t.action_config,
           t.meta, t.is_default, t.action_result_type, t.invocation_mode, a.base_url, a.model, a.application_id
         FROM agents.actions t JOIN agents.agents a ON a.company_id = t.company_id AND a.id = t.agent_id
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL AND a.deleted_at IS NULL OFFSET 0) x`,
      [id],
    );
    if (!action) throw notFound('action');
    return action;
  }

  /** Clears the default flag of the agent's default action. */
  async clearDefault(tx: Tx, agentId: number): Promise<void> {
    const [former] = await tx.query<{ id: number }>(
      'SELECT id FROM agents.actions WHERE company_id = $1 AND agent_id = $2 AND is_default AND deleted_at IS NULL',
      [tx.companyId, agentId],
    );
    if (!former) return;
    await this.changeIn(tx, former.id, () => ({
      set: { is_default: false },
      events: [emits('agent_action.updated')],
    }));
  }

  async dropAll(tx: Tx, agentId: number): Promise<void> {
    await tx.query(
      `UPDATE agents.actions SET deleted_at = $3, is_default = false
       WHERE company_id = $1 AND agent_id = $2 AND deleted_at IS NULL`,
      [tx.companyId, agentId, Date.now()],
    );
  }

  /** Replaces the actions of a locked agent by those of a snapshot, matched by name; a deleted one is restored. */
  async restore(tx: Tx, agentId: number, actions: ActionDraft[]): Promise<void> {
    const values = [tx.companyId, agentId, JSON.stringify(actions)];
    const now = Date.now();
    await tx.query(
      `UPDATE agents.actions a SET is_default = false,
         deleted_at = CASE WHEN EXISTS (SELECT 1 FROM ${NEW_ROWS} WHERE n.action_name = a.action_name) THEN NULL ELSE $4::bigint END
       WHERE a.company_id = $1 AND a.agent_id = $2 AND a.deleted_at IS NULL`,
      [...values, now],
    );
    await tx.query(
      `UPDATE agents.actions a SET ${ASSIGNED}, date_updated = $4 FROM ${NEW_ROWS}
       WHERE a.company_id = $1 AND a.agent_id = $2 AND a.deleted_at IS NULL AND a.action_name = n.action_name`,
      [...values, now],
    );
    await tx.query(
      `UPDATE agents.actions a SET ${ASSIGNED}, date_updated = $4, deleted_at = NULL FROM ${NEW_ROWS}
       WHERE a.company_id = $1 AND a.agent_id = $2 AND a.deleted_at IS NOT NULL AND a.id = n.id AND ${NAMED}`,
      [...values, now],
    );
    await tx.query(
      `INSERT INTO agents.actions (company_id, agent_id, ${ACTION_FIELDS.join(', ')})
       SELECT $1, $2, ${ACTION_FIELDS.map((field) => `n.${field}`).join(', ')} FROM ${NEW_ROWS} WHERE ${NAMED} ORDER BY n.id`,
      values,
    );
  }
}
