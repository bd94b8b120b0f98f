import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type Artifact,
  conflict,
  type Deleted,
  type JsonText,
  notFound,
  type Page,
} from '@signalbox/contracts';
import { Database, type ListOptions, NOW_MS, type Owner, type Tx, type View } from '@signalbox/database';
import { ObjectStore } from '@signalbox/objects';

const MAX_ARTIFACTS = 100;

const view: View = {
  resource: 'artifact',
  table: 'workflows.artifacts',
  columns: ['id', 'workflow_id', 'run_id', 'key', 'content_type', 'size_bytes', 'sha256', 'date_created'],
  search: ['t.key'],
  sort: { key: 't.key', size_bytes: 't.size_bytes' },
};

/** The content of a file in the object store. */
export type StoredContent = Pick<Artifact, 'sha256' | 'size_bytes'>;

/** A file to be stored. */
export interface NewArtifact {
  workflow_id: number;
  run_id: string | null;
  key: string;
  content_type: string;
  bytes: Uint8Array;
}

/**
 * Files of workflows and of their runs; their contents are objects under the hash of the content.
 *
 * SQL: a file replaces the one of its key in one statement.
 */
@Injectable()
export class Artifacts {
  constructor(
    private readonly db: Database,
    @Inject(ObjectStore) private readonly store: ObjectStore,
  ) {}

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<Artifact>>> {
    return this.db.list<Artifact>(view, companyId, options);
  }

  /** Stores a file in place of the one of the same key; 409 for more than 100 keys. */
  async put(owner: Owner, { bytes, ...artifact }: NewArtifact): Promise<JsonText<Artifact>> {
    const content = await this.storeContent(owner.companyId, bytes);
    return this.db.withCompany(owner, (tx) => this.putIn(tx, { ...artifact, ...content }));
  }

  /** Stores the content of a file; its row is written by `putIn`. */
  async storeContent(companyId: number, bytes: Uint8Array): Promise<StoredContent> {
    const object = await this.store.put(companyId, bytes);
    return { sha256: object.slice(object.indexOf('/') + 1), size_bytes: bytes.length };
  }

  /** Stores a file whose content is stored, in place of the one of the same key; 409 for more than 100 keys. */
  async putIn(
    tx: Tx,
    { workflow_id, run_id, key, content_type, sha256, size_bytes }: Omit<Artifact, 'id' | 'date_created'>,
  ): Promise<JsonText<Artifact>> {
    // Writers of one workflow wait for each other, so that the count holds.
    await tx.query('SELECT 1 FROM workflows.workflows WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      tx.companyId,
      workflow_id,
    ]);
    await tx.query(
      `UPDATE workflows.artifacts SET deleted_at = ${NOW_MS} WHERE company_id = $1 AND workflow_id = $2
         AND run_id IS NOT DISTINCT FROM $3::uuid AND key = $4 AND deleted_at IS NULL`,
      [tx.companyId, workflow_id, run_id, key],
    );
    const [made] = await tx.query<{ id: number; others: number }>(
      `INSERT INTO workflows.artifacts (company_id, workflow_id, run_id, key, content_type, size_bytes, sha256)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id, (SELECT count(*)::int FROM workflows.artifacts o
         WHERE o.company_id = $1 AND o.workflow_id = $2 AND o.run_id IS NOT DISTINCT FROM $3::uuid
           AND o.deleted_at IS NULL) AS others`,
      [tx.companyId, workflow_id, run_id, key, content_type, size_bytes, sha256],
    );
    if (!made || made.others >= MAX_ARTIFACTS)
      throw conflict(`a ${run_id === null ? 'workflow' : 'run'} has at most ${MAX_ARTIFACTS} artifacts`);
    return (await tx.read<Artifact>(view, made.id)) ?? missing();
  }

  async get(companyId: number, workflowId: number, id: number): Promise<Artifact> {
    const found = await this.db.readOne<Artifact>(view, companyId, id);
    const artifact = found && (JSON.parse(found.text) as Artifact);
    return artifact?.workflow_id === workflowId ? artifact : missing();
  }

  /** The file of a key: that of the run, else that of the workflow; null when there is none. */
  async find(companyId: number, workflowId: number, runId: string, key: string): Promise<Artifact | null> {
    const [found] = await this.db.select<Artifact>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${view.columns.map((column) => `t.${column}`).join(', ')}
         FROM workflows.artifacts t WHERE t.company_id = s.company AND t.workflow_id = $2 AND t.key = $4
           AND (t.run_id IS NULL OR t.run_id = $3) AND t.deleted_at IS NULL ORDER BY t.run_id NULLS LAST LIMIT 1 OFFSET 0) x`,
      [workflowId, runId, key],
    );
    return found ?? null;
  }

  async content(companyId: number, { sha256 }: Pick<Artifact, 'sha256'>): Promise<Buffer> {
    const bytes = await this.store.get(`${companyId}/${sha256}`);
    if (!bytes) throw new ApiError('internal', 'the content of the artifact is missing in the object store');
    return bytes;
  }

  async delete(owner: Owner, workflowId: number, id: number): Promise<Deleted> {
    await this.get(owner.companyId, workflowId, id);
    return this.db.withCompany(owner, async (tx) => {
      await tx.query(`UPDATE workflows.artifacts SET deleted_at = ${NOW_MS} WHERE company_id = $1 AND id = $2`, [
        tx.companyId,
        id,
      ]);
      return { id, deleted: true };
    });
  }
}

function missing(): never {
  throw notFound('artifact');
}
