import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '@signalbox/database';
import type { AgentSnapshot } from './agent-snapshot.js';

const AGENT_FIELDS = [
  'agent_name',
  'description',
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
] as const satisfies (keyof AgentSnapshot)[];

/** The fields of an action that a version freezes beside its id. */
export const ACTION_FIELDS = [
  'action_name',
  'action_type',
  'description',
  'enabled',
  'action_config',
  'meta',
  'is_default',
  'action_result_type',
  'invocation_mode',
] as const satisfies (keyof AgentSnapshot['actions'][number])[];

const pairs = (fields: readonly string[], alias: string): string =>
  fields.map((field) => `'${field}', ${alias}."${field}"`).join(', ');

/** The draft as one jsonb value over the agent row `t`. */
const draftSql = (actionFields: readonly string[], order: string): string =>
  `jsonb_build_object(${pairs(AGENT_FIELDS, 't')}, 'actions', COALESCE((
     SELECT jsonb_agg(jsonb_build_object(${pairs(actionFields, 'a')}) ORDER BY a.${order}) FROM agents.actions a
     WHERE a.company_id = t.company_id AND a.agent_id = t.id AND a.deleted_at IS NULL), '[]'))`;

const SNAPSHOT = draftSql(['id', ...ACTION_FIELDS], 'id');

// Ids stay out of it: an action that was deleted and made again the same is no change.
const FINGERPRINT = `encode(sha256(convert_to((${draftSql(ACTION_FIELDS, 'action_name')})::text, 'UTF8')), 'hex')`;

/** Drafts of agents as versions freeze them, and the fingerprints that tell whether they differ from what is published. */
@Injectable()
export class Drafts {
  constructor(private readonly db: Database) {}

  /** The draft without a lock, null when the agent does not exist. */
  async find(companyId: number, agentId: number): Promise<AgentSnapshot | null> {
    const [row] = await this.db.select<{ snapshot: AgentSnapshot }>(
      companyId,
      `SELECT d.snapshot FROM s, LATERAL (SELECT ${SNAPSHOT} AS snapshot FROM agents.agents t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) d`,
      [agentId],
    );
    return row?.snapshot ?? null;
  }

  /** The draft of an agent that the transaction has locked. */
  async freeze(tx: Tx, agentId: number): Promise<AgentSnapshot> {
    const [row] = await tx.query<{ snapshot: AgentSnapshot }>(
      `SELECT ${SNAPSHOT} AS snapshot FROM agents.agents t WHERE t.company_id = $1 AND t.id = $2`,
      [tx.companyId, agentId],
    );
    if (!row) throw new Error(`agent ${agentId} is gone although it is locked`);
    return row.snapshot;
  }

  /** Takes the fingerprint of the draft anew; every write to an agent or its actions ends with it. */
  async touch(tx: Tx, agentId: number): Promise<void> {
    await tx.query(`UPDATE agents.agents t SET draft_hash = ${FINGERPRINT} WHERE t.company_id = $1 AND t.id = $2`, [
      tx.companyId,
      agentId,
    ]);
  }

  /** Notes that the draft is published as it stands. */
  async published(tx: Tx, agentId: number): Promise<void> {
    await tx.query(`UPDATE agents.agents SET published_hash = draft_hash WHERE company_id = $1 AND id = $2`, [
      tx.companyId,
      agentId,
    ]);
  }
}
