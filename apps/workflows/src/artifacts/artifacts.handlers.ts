import { Serves } from '@signalbox/bus';
import { artifacts, type CallTo, type Handlers, invalidField } from '@signalbox/contracts';
import { WorkflowRuns } from '../runs/workflow-runs.repository.js';
import { Workflows } from '../workflows/workflows.repository.js';
import { bytesOfBase64 } from './base64.js';
import { Artifacts } from './artifacts.repository.js';

type C = typeof artifacts;

/** Files of workflows and of their runs. */
@Serves(artifacts)
export class ArtifactHandlers implements Handlers<C> {
  constructor(
    private readonly artifacts: Artifacts,
    private readonly workflows: Workflows,
    private readonly runs: WorkflowRuns,
  ) {}

  async listArtifacts({ input, caller }: CallTo<C, 'listArtifacts'>) {
    await this.workflows.get(caller.companyId, input.workflow_id);
    const filters = [
      { sql: 't.workflow_id = ?', value: input.workflow_id },
      input.run_id === undefined
        ? { sql: 't.run_id IS NULL', value: null }
        : { sql: 't.run_id = ?', value: input.run_id },
    ];
    return this.artifacts.list(caller.companyId, { ...input, filters });
  }

  async putArtifact({ input: { content_base64, ...input }, caller }: CallTo<C, 'putArtifact'>) {
    await this.workflows.get(caller.companyId, input.workflow_id);
    const bytes = bytesOfBase64(content_base64);
    if (!bytes) throw invalidField('content_base64', 'must be base64');
    return this.artifacts.put(caller, { ...input, run_id: null, bytes });
  }

  getArtifact({ input, caller }: CallTo<C, 'getArtifact'>) {
    return this.artifacts.get(caller.companyId, input.workflow_id, input.artifact_id);
  }

  deleteArtifact({ input, caller }: CallTo<C, 'deleteArtifact'>) {
    return this.artifacts.delete(caller, input.workflow_id, input.artifact_id);
  }

  async getArtifactContent({ input, caller }: CallTo<C, 'getArtifactContent'>) {
    const artifact = await this.artifacts.get(caller.companyId, input.workflow_id, input.artifact_id);
    const bytes = await this.artifacts.content(caller.companyId, artifact);
    const name = artifact.key.slice(artifact.key.lastIndexOf('/') + 1) || 'artifact';
    return {
      contentType: artifact.content_type,
      body: bytes.toString('base64'),
      encoding: 'base64' as const,
      headers: {
        'Content-Disposition': `attachment; filename="${name}"`,
        'X-Content-Type-Options': 'nosniff',
        ETag: `"${artifact.sha256}"`,
      },
    };
  }

  async listRunArtifacts({ input: { run_id, ...query }, caller }: CallTo<C, 'listRunArtifacts'>) {
    await this.runs.reads.require(caller.companyId, run_id);
    return this.artifacts.list(caller.companyId, { ...query, filters: [{ sql: 't.run_id = ?', value: run_id }] });
  }
}
