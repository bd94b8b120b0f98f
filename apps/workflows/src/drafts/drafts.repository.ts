import { Injectable } from '@nestjs/common';
import { Database, DraftSnapshots, type Tx } from '@signalbox/database';
import { parseNestedRef } from './nested-ref.js';
import { type WorkflowSnapshot } from './workflow-snapshot.js';
import { DRAFT_STATEMENTS, FIND_CALLED_DRAFTS, LATEST_OF, MARK_PUBLISHED, RECOMPUTE_HASH } from './drafts.sql.js';

export interface CalledWorkflow {
  workflow_ref_name: string;
  status: string;
  application_id: number | null;
  application_name: string | null;
  draft: WorkflowSnapshot;
}

@Injectable()
export class Drafts extends DraftSnapshots<WorkflowSnapshot> {
  constructor(db: Database) {
    super(db, DRAFT_STATEMENTS, 'workflow');
  }

  /** One query, because every run begins with it; null for an unknown workflow. */
  async findCalled(companyId: number, id: number): Promise<CalledWorkflow | null> {
    const [called] = await this.db.select<CalledWorkflow>(companyId, FIND_CALLED_DRAFTS, [id]);
    return called ?? null;
  }

  async latestOf(tx: Tx, refs: readonly string[]): Promise<Map<string, string>> {
    const rows = await tx.query<{ ref: string; version_number: string }>(LATEST_OF, [
      tx.companyId,
      refs.map((ref) => parseNestedRef(ref).ref),
    ]);
    return new Map(rows.map(({ ref, version_number }) => [ref, version_number]));
  }

  /** Must end every write to a workflow. */
  async recomputeHash(tx: Tx, workflowId: number): Promise<void> {
    await tx.query(RECOMPUTE_HASH, [tx.companyId, workflowId]);
  }

  async published(tx: Tx, workflowId: number): Promise<void> {
    await tx.query(MARK_PUBLISHED, [tx.companyId, workflowId]);
  }
}
