import { Injectable } from '@nestjs/common';
import type {
  ArtifactBody,
  Caller,
  ImportedWorkflow,
  ImportWarning,
  Increment,
  UploadedWorkflow,
  Workflow,
  WorkflowImport,
  WorkflowVersion,
} from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { Artifacts, type StoredContent } from '../artifacts/index.js';
import { WorkflowVersions } from '../versions/index.js';
import { WORKFLOW_TAKEN } from '../drafts/index.js';
import { type PreparedWrite, WorkflowWrites } from '../workflows/index.js';

export type BundledArtifact = Pick<ArtifactBody, 'key' | 'content_type'> & StoredContent;

export interface PreparedBundle {
  write: PreparedWrite;
  artifacts: readonly BundledArtifact[];
  publish: { increment: Increment; notes: string } | null;
}

/** Each method is one transaction. */
@Injectable()
export class Manifests {
  constructor(
    private readonly db: Database,
    private readonly writes: WorkflowWrites,
    private readonly artifacts: Artifacts,
    private readonly versions: WorkflowVersions,
  ) {}

  upload(caller: Caller, { write, artifacts, publish }: PreparedBundle): Promise<UploadedWorkflow> {
    return this.db.withCompany(
      caller,
      async (tx) => {
        const written = await this.writes.writeIn(tx, write);
        const { id } = JSON.parse(written.workflow.text) as Workflow;
        for (const artifact of artifacts)
          await this.artifacts.putIn(tx, { ...artifact, workflow_id: id, run_id: null });
        const version = publish && (await this.versions.publishIn(tx, id, publish.increment, publish.notes));
        const { text } = publish ? await this.writes.read(tx, id) : written.workflow;
        return {
          workflow: JSON.parse(text) as Workflow,
          version: version && (JSON.parse(version.text) as WorkflowVersion),
          created: written.status === 'created',
        };
      },
      WORKFLOW_TAKEN,
    );
  }

  /** Results are in the order of `writes`. The idempotency record keeps what the transaction returns. */
  import(
    caller: Caller,
    writes: readonly PreparedWrite[],
    warnings: readonly ImportWarning[],
  ): Promise<WorkflowImport> {
    return this.db.withCompany(
      caller,
      async (tx) => {
        const done = new Map<PreparedWrite, Omit<ImportedWorkflow, 'warnings'>>();
        // In order of ids, so that concurrent imports do not deadlock.
        for (const write of [...writes].sort((a, b) => (a.id ?? Infinity) - (b.id ?? Infinity) || 0)) {
          const { workflow, status } = await this.writes.writeIn(tx, write, 'import');
          const { id, workflow_ref_name } = JSON.parse(workflow.text) as Workflow;
          done.set(write, { workflow_ref_name, id, status });
        }
        const workflows = writes.flatMap((write, at) => {
          const imported = done.get(write);
          const own = warnings.filter(({ path }) => path.startsWith(`workflows[${at}].`));
          return imported ? [{ ...imported, warnings: own }] : [];
        });
        return { workflows, warnings: [...warnings] };
      },
      WORKFLOW_TAKEN,
    );
  }
}
