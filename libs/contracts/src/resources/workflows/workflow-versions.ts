import { defineContract } from '../../contract.js';
import { Default, Epoch, Flag, Id, join, Json, OneOf, Optional, SemVer, Str } from '../../fields/fields.js';
import { listMcpReleases } from '../../versions/releases.js';
import { INCREMENTS, type Increment, versionEndpoints } from '../../versions/versions.js';
import { WorkflowPath } from './workflow-path.js';
import { Workflow } from './workflows.js';

export class WorkflowVersion {
  @Id() id!: number;
  @Id() workflow_id!: number;
  @SemVer() version_number!: string;
  @Flag() is_latest!: boolean;
  @Str(0, 2000) version_notes!: string;
  @Epoch() date_created!: number;
  @Json() @Optional() snapshot?: unknown;
}

class PublishWorkflow {
  @OneOf(INCREMENTS) @Default('minor') bump_type!: Increment;
  @Str(0, 2000) @Default('') version_notes!: string;
}

const endpoints = versionEndpoints({
  root: '/workflows/{workflow_id}',
  path: WorkflowPath,
  version: WorkflowVersion,
  resource: Workflow,
  noun: 'workflow',
});

/** Versions and releases of workflows (docs/api/versions-and-releases.md, docs/api/workflows.md). */
export const workflowVersions = defineContract(
  { name: 'workflow-versions', service: 'workflows', tag: 'Workflows' },
  {
    ...endpoints,
    publishVersion: { ...endpoints.publishVersion, input: join(WorkflowPath, PublishWorkflow) },
    listMcpReleases,
  },
);
