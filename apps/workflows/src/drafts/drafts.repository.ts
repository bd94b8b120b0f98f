import { Injectable } from '@nestjs/common';
import { Database, DraftSnapshots, type Tx } from '@signalbox/database';
import { parseNestedRef } from './nested-ref.js';
import { SNAPSHOT_FIELDS, type WorkflowSnapshot } from './workflow-snapshot.js';

/** The draft as one jsonb value over the row `t`. */
const SNAPSHOT = `jsonb_build_object(${SNAPSHOT_FIELDS.map((field) => `'${field}', t."${field}"`).join(', ')})`;

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
    const [called] = await this.db.select<CalledWorkflow>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.workflow_ref_name, t.status, t.application_id, ${SNAPSHOT} AS draft,
           (SELECT n.application_name FROM workflows.application_names n
            WHERE n.company_id = t.company_id AND n.application_id = t.application_id) AS application_name
         FROM workflows.workflows t WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [id],
    );
    return called ?? null;
  }

  /** The latest version of each named workflow that has one. */
  async latestOf(tx: Tx, refs: readonly string[]): Promise<Map<string, string>> {
    const rows = await tx.query<{ ref: string; version_number: string }>(
      `SELECT t.workflow_ref_name AS ref, v.version_number FROM workflows.workflows t
       JOIN workflows.workflow_versions v ON v.company_id = t.company_id AND v.workflow_id = t.id AND v.is_latest
       WHERE t.company_id = $1 AND t.workflow_ref_name = ANY ($2::text[]) AND t.deleted_at IS NULL`,
      [tx.companyId, refs.map((ref) => parseNestedRef(ref).ref)],
    );
    return new Map(rows.map(({ ref, version_number }) => [ref, version_number]));
  }

  /** Recomputes the hash of the draft; every write to a workflow ends with it. */
  async recomputeHash(tx: Tx, workflowId: number): Promise<void> {
    await tx.query(
      `UPDATE workflows.workflows t SET draft_hash = encode(sha256(convert_to(${SNAPSHOT}::text, 'UTF8')), 'hex')
       WHERE t.company_id = $1 AND t.id = $2`,
      [tx.companyId, workflowId],
    );
  }
}
