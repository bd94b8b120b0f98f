import { Injectable } from '@nestjs/common';
import type { AgentKind } from '@signalbox/contracts';
import { Database, DraftSnapshots, type Tx } from '@signalbox/database';
import { type AgentSnapshot } from './agent-snapshot.js';
import { hasNoDraft } from './agent.js';
import { type DraftSizes, requireWithinLimits } from './draft-limits.js';
import { DRAFT_STATEMENTS, LATEST_OF_CHILDREN, MARK_PUBLISHED, MEASURE_DRAFT } from './drafts.sql.js';

const PARTS = ['actions', 'sub_agents', 'routing_rules', 'form_fields'] as const;

/** SQL: hash and sizes of a draft are computed in the database, in one statement. */
@Injectable()
export class Drafts extends DraftSnapshots<AgentSnapshot> {
  constructor(db: Database) {
    super(db, DRAFT_STATEMENTS, 'agent');
  }

  async latestOfChildren(tx: Tx, agentId: number): Promise<Map<number, string>> {
    const rows = await tx.query<{ agent_id: number; version_number: string }>(LATEST_OF_CHILDREN, [
      tx.companyId,
      agentId,
    ]);
    return new Map(rows.map(({ agent_id, version_number }) => [agent_id, version_number]));
  }

  /** Every write to an agent or its parts must end with it. */
  async recomputeHash(tx: Tx, agentId: number): Promise<void> {
    const [row] = await tx.query<{ before: DraftSizes | null; now: DraftSizes; kind: AgentKind }>(MEASURE_DRAFT, [
      tx.companyId,
      agentId,
    ]);
    if (row?.kind === 'EXTERNAL' && PARTS.some((part) => row.now[part] > 0)) throw hasNoDraft();
    if (row) requireWithinLimits(row.before, row.now);
  }

  async published(tx: Tx, agentId: number): Promise<void> {
    await tx.query(MARK_PUBLISHED, [tx.companyId, agentId]);
  }
}
