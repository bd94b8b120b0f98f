import { Injectable } from '@nestjs/common';
import { Database, DraftSnapshots, type Tx } from '@signalbox/database';
import { parseNestedRef } from './nested-ref.js';
import { type WorkflowSnapshot } from './workflow-snapshot.js';
import { FIND_CALLED_DRAFTS, LATEST_OF, RECOMPUTE_HASH, SNAPSHOT } from './drafts.sql.js';

/** What a call of a workflow needs of it, with its draft. */
export interface CalledWorkflow {
  workflow_ref_name: string;
  status: string;
  application_id: number | null;
  application_name: string | null;
  draft: WorkflowSnapshot;
}

/** Drafts of workflows, and the hashes by which they are compared with the latest published version. */
@Injectable()
export class Drafts extends DraftSnapshots<WorkflowSnapshot> {
  constructor(db: Database) {
    super(db, { table: 'workflows.workflows', snapshot: SNAPSHOT, type: 'workflow' });
  }

  /** A workflow that is called, null when it does not exist: one look-up, for every run begins with it. */
  async findCalled(companyId: number, id: number): Promise<CalledWorkflow | null> {
    const [called] = await this.db.select<CalledWorkflow>(companyId, FIND_CALLED_DRAFTS, [id]);
    return called ?? null;
  }

  /** The latest version of each named workflow that has one. */
  async latestOf(tx: Tx, refs: readonly string[]): Promise<Map<string, string>> {
    const rows = await tx.query<{ ref: string; version_number: string }>(LATEST_OF, [
      tx.companyId,
      refs.map((ref) => parseNestedRef(ref).ref),
    ]);
    return new Map(rows.map(({ ref, version_number }) => [ref, version_number]));
  }

  /** Recomputes the hash of the draft; every write to a workflow ends with it. */
  async recomputeHash(tx: Tx, workflowId: number): Promise<void> {
    await tx.query(RECOMPUTE_HASH, [tx.companyId, workflowId]);
  }
}
