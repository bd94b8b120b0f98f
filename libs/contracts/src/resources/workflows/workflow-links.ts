import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { AtMostOne } from '../../fields/checks.js';
import { objType } from '../../fields/field-types.js';
import { Count, field, Id, Name, Nullable, OneOf, Optional, SemVer, Slug, Str } from '../../fields/fields.js';
import { ON_OFF, type OnOff } from '../../shapes.js';
import { listGatedReleases } from '../../versions/releases.js';
import { versionWord } from '../../versions/versions.js';
import { FamilyRelease, ListFamilyReleases } from '../releases.js';
import { ApplicationPath } from '../paths.js';

/** Names a workflow by id or reference name, and the version that a call runs. */
@AtMostOne('version', 'release')
@AtMostOne('workflow_id', 'workflow_ref_name')
export class WorkflowReference {
  @Id() @Optional() workflow_id?: number;
  @Str(1, 64) @Optional() workflow_ref_name?: string;
  @field(versionWord) @Optional() version?: string;
  @Slug() @Optional() release?: string;
}

/** A workflow, and the definition that a call with the given version or release runs. */
export class WorkflowTarget {
  @Id() id!: number;
  @Slug() workflow_ref_name!: string;
  @Name() workflow_name!: string;
  @Str() description!: string;
  @OneOf(ON_OFF) status!: OnOff;
  @Id() @Nullable() application_id!: number | null;
  @SemVer() @Nullable() latest_version_number!: string | null;
  @SemVer() @Nullable() version!: string | null;
  @Slug() @Nullable() release!: string | null;
  @field(objType()) @Nullable() input_schema!: Record<string, unknown> | null;
  @field(objType()) @Nullable() output_schema!: Record<string, unknown> | null;
}

export class WorkflowCount {
  @Count() workflows!: number;
}

/** Internal: references between workflows and the resources of other services. */
export const workflowLinks = defineContract(
  { name: 'workflow-links', service: 'workflows', tag: 'Internal' },
  {
    resolveWorkflow: {
      summary: 'Get the workflow of a reference and the definition that it runs; 404 when any part does not exist',
      input: WorkflowReference,
      output: WorkflowTarget,
    },
    listReleases: {
      summary: 'List the releases of all workflows',
      input: ListFamilyReleases,
      output: page(FamilyRelease),
    },
    listGatedReleases,
    unbindApplication: {
      summary: 'Detach the workflows from a deleted application',
      input: ApplicationPath,
      output: WorkflowCount,
    },
  },
);
