import { Injectable } from '@nestjs/common';
import type { AgentAction } from '@signalbox/contracts';
import { notFound, emits } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx } from '@signalbox/database';
import { ACTION_VIEW, type ActionDraft, auditedAction, Drafts } from '../drafts/index.js';
import { ActionRow } from './action.entity.js';
import {
  ACTION_TO_TEST,
  AGENT_OF_ACTION,
  DEFAULT_ACTION,
  DELETE_ACTIONS,
  INSERT_ACTIONS,
  LOCK_AGENT,
  LOCK_AGENT_OF_ACTION,
  RESTORE_ACTIONS,
  RETIRE_ACTIONS,
  UPDATE_ACTIONS,
} from './actions.sql.js';

export const ACTION_TAKEN = { actions_name: 'an action of this name exists already on the agent' };

export interface ActionOfAgent extends ActionDraft {
  base_url: string | null;
  model: string | null;
  application_id: number | null;
}

/**
 * Every write locks the agent first, so that rules over all of its actions hold.
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
      uniqueViolations: ACTION_TAKEN,
      audited: auditedAction,
    });
  }

  protected override async written(tx: Tx, id: number): Promise<void> {
    const [row] = await tx.query<{ agent_id: number }>(AGENT_OF_ACTION, [tx.companyId, id]);
    if (row) await this.drafts.recomputeHash(tx, row.agent_id);
  }

  async lockAgent(tx: Tx, agentId: number): Promise<void> {
    const rows = await tx.query(LOCK_AGENT, [tx.companyId, agentId]);
    if (rows.length === 0) throw notFound('agent');
  }

  /** Locks the agent before the action; every writer uses this order. */
  override async lock(tx: Tx, id: number) {
    await tx.query(LOCK_AGENT_OF_ACTION, [tx.companyId, id]);
    return super.lock(tx, id);
  }

  async getWithAgent(companyId: number, id: number): Promise<ActionOfAgent> {
    const [action] = await this.db.select<ActionOfAgent>(companyId, ACTION_TO_TEST, [id]);
    if (!action) throw notFound('action');
    return action;
  }

  async clearDefault(tx: Tx, agentId: number): Promise<void> {
    const [former] = await tx.query<{ id: number }>(DEFAULT_ACTION, [tx.companyId, agentId]);
    if (!former) return;
    await this.changeIn(tx, former.id, () => ({
      set: { is_default: false },
      events: [emits('agent_action.updated')],
    }));
  }

  async dropAll(tx: Tx, agentId: number): Promise<void> {
    await tx.query(DELETE_ACTIONS, [tx.companyId, agentId, Date.now()]);
  }

  /** Matches actions by name; a deleted one is restored. The agent must be locked. */
  async restore(tx: Tx, agentId: number, actions: ActionDraft[]): Promise<void> {
    const values = [tx.companyId, agentId, JSON.stringify(actions)];
    const now = Date.now();
    await tx.query(RETIRE_ACTIONS, [...values, now]);
    await tx.query(UPDATE_ACTIONS, [...values, now]);
    await tx.query(RESTORE_ACTIONS, [...values, now]);
    await tx.query(INSERT_ACTIONS, values);
  }
}
