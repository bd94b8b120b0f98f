import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '@signalbox/database';
import { parseNestedRef } from './nested-ref.js';
import { SNAPSHOT_FIELDS, type WorkflowSnapshot } from './workflow-snapshot.js';

/** The draft as one jsonb value over the row `t`. */
const SNAPSHOT = `jsonb_build_object(${SNAPSHOT_FIELDS.map((field) => `'${field}', t."${field}"`).join(', ')})`;

/** Drafts of workflows, and the hashes by which they are compared with the latest published version. */
@Injectable()
export class Drafts {
  constructor(private readonly db: Database) {}

  /** The draft without a lock, null when the workflow does not exist. */
  async find(companyId: number, workflowId: number): Promise<WorkflowSnapshot | null> {
    const [row] = await this.db.select<{ snapshot: WorkflowSnapshot }>(
      companyId,
      `SELECT d.snapshot FROM s, LATERAL (SELECT ${SNAPSHOT} AS snapshot FROM workflows.workflows t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) d`,
      [workflowId],
    );
    return row?.snapshot ?? null;
  }

  /** The draft of a workflow that the transaction has locked. */
  async freeze(tx: Tx, workflowId: number): Promise<WorkflowSnapshot> {
    const [row] = await tx.query<{ snapshot: WorkflowSnapshot }>(
      `SELECT ${SNAPSHOT} AS snapshot FROM workflows.workflows t WHERE t.company_id = $1 AND t.id = $2`,
      [tx.companyId, workflowId],
    );
    if (!row) throw new Error(`workflow ${workflowId} does not exist although it is locked`);
    return row.snapshot;
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

  /** Marks the current draft as published. */
  async published(tx: Tx, workflowId: number): Promise<void> {
    await tx.query(`UPDATE workflows.workflows SET published_hash = draft_hash WHERE company_id = $1 AND id = $2`, [
      tx.companyId,
      workflowId,
    ]);
  }
}
