import { defineContract } from '../../contract.js';
import { download, page } from '../../contract/outputs.js';
import { Checked } from '../../fields/checks.js';
import { patternType } from '../../fields/field-types.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  field,
  Id,
  Matching,
  Nested,
  Nullable,
  Optional,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { Deleted, ListQuery } from '../../shapes.js';
import { FileUpload, StoredPart, UploadPart } from '../../uploads.js';
import { WorkflowPath } from './workflow-path.js';

export const artifactKeyType = patternType(
  /^(?!.*\.\.)[A-Za-z0-9._/-]{1,200}$/,
  '1 to 200 of A-Z, a-z, 0-9, ".", "_", "/" and "-" without ".."',
);
/** A media type, as stored and sent again. */
export const contentTypeType = patternType(
  /^[A-Za-z0-9!#$&^_.+-]{1,100}\/[A-Za-z0-9!#$&^_.+-]{1,100}(; ?charset=[A-Za-z0-9_-]{1,40})?$/,
  'a media type such as text/csv',
);

/** A file of a workflow, or one that a run has written. */
export class Artifact {
  @Id() id!: number;
  @Id() workflow_id!: number;
  @Uuid() @Nullable() run_id!: string | null;
  @field(artifactKeyType) key!: string;
  @field(contentTypeType) content_type!: string;
  @Count() size_bytes!: number;
  @Matching(/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal digits') sha256!: string;
  @Epoch() date_created!: number;
}

export class ArtifactBody {
  @field(artifactKeyType) key!: string;
  @Str(0, 10_485_760) content_base64!: string;
  @field(contentTypeType) @Default('application/octet-stream') content_type!: string;
}

/** A file in a form or in a JSON body. */
@Checked<PutArtifact>(({ content_base64, upload }) =>
  content_base64 === undefined && upload === undefined
    ? { field: 'content_base64', message: 'is required' }
    : undefined,
)
class PutArtifact extends WorkflowPath {
  @field(artifactKeyType) key!: string;
  @Str(0, 10_485_760) @Optional() content_base64?: string;
  @field(contentTypeType) @Optional() @Description('By default that of the file') content_type?: string;
  @Nested(() => FileUpload) @Optional() upload?: FileUpload;
}

class ListArtifacts extends ListQuery {
  @Id() workflow_id!: number;
  @Uuid() @Optional() run_id?: string;
}
class ArtifactPath extends WorkflowPath {
  @Id() artifact_id!: number;
}
class ListRunArtifacts extends ListQuery {
  @Uuid() run_id!: string;
}

const one = '/workflows/{workflow_id}/artifacts/{artifact_id}';

/** Files of workflows and of their runs (docs/api/workflows.md). */
export const artifacts = defineContract(
  { name: 'workflow-artifacts', service: 'workflows', tag: 'Workflows' },
  {
    listArtifacts: {
      get: '/workflows/{workflow_id}/artifacts',
      summary: 'List the artifacts of a workflow, or those that one of its runs has written',
      input: ListArtifacts,
      output: page(Artifact),
    },
    putArtifact: {
      post: '/workflows/{workflow_id}/artifacts',
      summary: 'Store an artifact of at most 50 MiB; one of the same key is replaced',
      errors: ['conflict'],
      input: PutArtifact,
      output: Artifact,
      http: { body: 'large', upload: 'storeArtifactPart', uploadOr: 'content_base64' },
      delivery: { slow: true },
    },
    storeArtifactPart: {
      summary: 'Store a part of a file until it is an artifact, at most an hour',
      input: UploadPart,
      output: StoredPart,
    },
    getArtifact: { get: one, summary: 'Get an artifact without its content', input: ArtifactPath, output: Artifact },
    deleteArtifact: { delete: one, summary: 'Delete an artifact', input: ArtifactPath, output: Deleted },
    getArtifactContent: {
      get: `${one}/content`,
      summary: 'Get the content of an artifact as an attachment',
      input: ArtifactPath,
      output: download('*/*'),
      delivery: { slow: true, abandonable: true },
    },
    listRunArtifacts: {
      get: '/workflow-runs/{run_id}/artifacts',
      summary: 'List the artifacts that a run has written',
      input: ListRunArtifacts,
      output: page(Artifact),
    },
  },
);
