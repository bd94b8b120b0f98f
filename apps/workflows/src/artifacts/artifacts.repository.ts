import { Injectable } from '@nestjs/common';
import { type Artifact, conflict, type Deleted, type JsonText, notFound, type Page } from '@signalbox/contracts';
import { Database, type ListOptions, type Owner, type Statement, type Tx } from '@signalbox/database';
import type { StoredContent } from './artifact-contents.repository.js';
import {
  DELETE_FILE,
  DELETE_FILES_OF_WORKFLOW,
  FIND_BY_ID,
  FIND_BY_KEY,
  INSERT_FILE_OF_RUN,
  INSERT_FILE_OF_WORKFLOW,
  LOCK_WORKFLOW,
  REMOVE_FILE_OF_RUN,
  REMOVE_FILE_OF_WORKFLOW,
  view,
} from './artifacts.sql.js';

const MAX_ARTIFACTS = 100;
const OF_RUN = [REMOVE_FILE_OF_RUN, INSERT_FILE_OF_RUN] as const;
const OF_WORKFLOW = [REMOVE_FILE_OF_WORKFLOW, INSERT_FILE_OF_WORKFLOW] as const;

export type FoundArtifact = StoredContent & Pick<Artifact, 'key' | 'content_type'>;

export interface NewArtifact extends StoredContent {
  workflow_id: number;
  run_id: string | null;
  key: string;
  content_type: string;
}

/** SQL: a file replaces the one of its key in one statement. */
@Injectable()
export class Artifacts {
  constructor(private readonly db: Database) {}

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<Artifact>>> {
    return this.db.list<Artifact>(view, companyId, options);
  }

  /** Replaces a file of the same key; throws 409 for more than 100 keys. */
  put(owner: Owner, artifact: (tx: Tx) => Promise<NewArtifact>): Promise<JsonText<Artifact>> {
    return this.db.withCompany(owner, async (tx) => this.putIn(tx, await artifact(tx)));
  }

  /** For a file of a run, the transaction must have locked the run. */
  async putIn(
    tx: Tx,
    { workflow_id, run_id, key, content_type, sha256, size_bytes, upload_id }: NewArtifact,
  ): Promise<JsonText<Artifact>> {
    // Serialises writers of one workflow, as the lock of the run does those of a run, so that the count holds.
    if (run_id === null && (await tx.query(LOCK_WORKFLOW, [tx.companyId, workflow_id])).length === 0)
      throw notFound('workflow');
    const [remove, insert] = run_id === null ? OF_WORKFLOW : OF_RUN;
    await tx.query(remove, [tx.companyId, workflow_id, run_id, key]);
    const [made] = await tx.query<{ id: number; others: number }>(insert, [
      tx.companyId,
      workflow_id,
      run_id,
      key,
      content_type,
      size_bytes,
      sha256,
      upload_id,
    ]);
    if (!made || made.others >= MAX_ARTIFACTS)
      throw conflict(`a ${run_id === null ? 'workflow' : 'run'} has at most ${MAX_ARTIFACTS} artifacts`);
    return (await tx.read<Artifact>(view, made.id)) ?? missing();
  }

  async get(companyId: number, workflowId: number, id: number): Promise<Artifact> {
    const found = await this.db.readOne<Artifact>(view, companyId, id);
    const artifact = found && (JSON.parse(found.text) as Artifact);
    return artifact?.workflow_id === workflowId ? artifact : missing();
  }

  /** Throws 404 when the workflow has no such file. */
  async getContent(companyId: number, workflowId: number, id: number): Promise<FoundArtifact> {
    return (await this.findOne(companyId, FIND_BY_ID, [workflowId, id])) ?? missing();
  }

  /** The file of the run, else that of the workflow; null without either. */
  find(companyId: number, workflowId: number, runId: string, key: string): Promise<FoundArtifact | null> {
    return this.findOne(companyId, FIND_BY_KEY, [workflowId, runId, key]);
  }

  private async findOne(
    companyId: number,
    statement: Statement<'read'>,
    values: unknown[],
  ): Promise<FoundArtifact | null> {
    const [found] = await this.db.select<FoundArtifact>(companyId, statement, values);
    return found ?? null;
  }

  async delete(owner: Owner, workflowId: number, id: number): Promise<Deleted> {
    await this.get(owner.companyId, workflowId, id);
    return this.db.withCompany(owner, async (tx) => {
      await tx.query(DELETE_FILE, [tx.companyId, id]);
      return { id, deleted: true };
    });
  }

  /** In the transaction that deletes the workflow; files of its runs go with the runs. */
  async deleteOfWorkflow(tx: Tx, workflowId: number): Promise<void> {
    await tx.query(DELETE_FILES_OF_WORKFLOW, [tx.companyId, workflowId]);
  }
}

function missing(): never {
  throw notFound('artifact');
}
