import { defineContract } from '../../contract.js';
import { AtMostOne } from '../../fields/checks.js';
import {
  Default,
  Description,
  field,
  Flag,
  Id,
  join,
  ListOf,
  Nested,
  Nullable,
  omit,
  OneOf,
  Optional,
  partial,
  pick,
  Slug,
  Str,
} from '../../fields/fields.js';
import { INCREMENTS, type Increment, versionWord } from '../../versions/versions.js';
import { ImportWarning } from '../agents/agent-manifests.js';
import { ArtifactBody } from './artifacts.js';
import { WorkflowPath } from './workflow-path.js';
import { WorkflowVersion } from './workflow-versions.js';
import { Workflow, WorkflowBody } from './workflows.js';

class Reference extends pick(WorkflowBody, 'workflow_ref_name') {}

class UploadOptions {
  @ListOf(() => ArtifactBody, 0, 100) @Default(() => []) artifacts!: ArtifactBody[];
  @Flag() @Default(false) publish_version!: boolean;
  @OneOf(INCREMENTS) @Default('minor') bump_type!: Increment;
  @Str(0, 2000) @Default('') version_notes!: string;
}

@AtMostOne('application_id', 'application_name')
class UploadWorkflow extends join(join(Reference, partial(omit(WorkflowBody, 'workflow_ref_name'))), UploadOptions) {}

export class UploadedWorkflow {
  @Nested(() => Workflow) workflow!: Workflow;
  @Nested(() => WorkflowVersion)
  @Nullable()
  @Description('The version that was published; null without publish_version')
  version!: WorkflowVersion | null;
  @Flag() created!: boolean;
}

/** A workflow in a manifest; absent fields keep their value, or the default for a new workflow. */
export class ManifestWorkflow extends join(
  Reference,
  partial(omit(WorkflowBody, 'workflow_ref_name', 'application_id')),
) {}

/** Workflows in a form that can be kept in files and moved between installations. */
export class WorkflowManifest {
  @ListOf(() => ManifestWorkflow, 1, 50) workflows!: ManifestWorkflow[];
}

class ImportWorkflows extends WorkflowManifest {
  @OneOf(['error', 'update']) @Default('error') on_conflict!: 'error' | 'update';
}

export class ImportedWorkflow {
  @Slug() workflow_ref_name!: string;
  @Id() id!: number;
  @OneOf(['created', 'updated', 'unchanged']) status!: 'created' | 'updated' | 'unchanged';
  @ListOf(() => ImportWarning) warnings!: ImportWarning[];
}

export class WorkflowImport {
  @ListOf(() => ImportedWorkflow) workflows!: ImportedWorkflow[];
  @ListOf(() => ImportWarning)
  @Description('All warnings, including those of the workflows')
  warnings!: ImportWarning[];
}

class ExportWorkflow extends WorkflowPath {
  @field(versionWord) @Optional() version?: string;
}

/** Workflows as bundles and as manifests (docs/api/workflows.md). */
export const workflowManifests = defineContract(
  { name: 'workflow-manifests', service: 'workflows', tag: 'Workflows' },
  {
    // Chosen: `version` is the version record; fields that are absent keep their values in a workflow that exists.
    uploadWorkflow: {
      post: '/workflows/upload',
      summary: 'Create or update a workflow by its reference name, with its artifacts and a version, all or nothing',
      errors: ['not_found', 'conflict', 'refused'],
      input: UploadWorkflow,
      output: UploadedWorkflow,
      http: { body: 'large', form: { files: 'artifacts' } },
      delivery: { longDeadline: true },
    },
    importWorkflows: {
      post: '/workflows/import',
      summary: 'Create or update workflows from a manifest, all or none',
      errors: ['not_found', 'conflict', 'refused'],
      input: ImportWorkflows,
      output: WorkflowImport,
      http: { body: 'large' },
      delivery: { longDeadline: true },
    },
    exportWorkflow: {
      get: '/workflows/{workflow_id}/export',
      summary: 'Get a workflow with its script as an importable manifest, without its artifacts',
      input: ExportWorkflow,
      output: WorkflowManifest,
    },
  },
);
