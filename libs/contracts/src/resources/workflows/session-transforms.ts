import { defineContract } from '../../contract.js';
import { AtMostOne } from '../../fields/checks.js';
import { field, Id, Json, Optional, Slug, Str } from '../../fields/fields.js';
import { objType } from '../../fields/field-types.js';
import { versionWord } from '../../versions/versions.js';
import { WorkflowPath } from './workflow-path.js';

const SESSION_BOUNDS = { maxBytes: 1_048_576, maxDepth: 64 };

@AtMostOne('version', 'release')
@AtMostOne('session', 'session_id')
class PreviewTransform extends WorkflowPath {
  @field(objType(SESSION_BOUNDS)) @Optional() session?: Record<string, unknown>;
  @Str(1, 128) @Optional() session_id?: string;
  @field(versionWord) @Optional() version?: string;
  @Slug() @Optional() release?: string;
}
@AtMostOne('version', 'release')
class PreviewSessionTransform {
  @Str(1, 128) session_id!: string;
  @Id() workflow_id!: number;
  @field(versionWord) @Optional() version?: string;
  @Slug() @Optional() release?: string;
}
/** What transform_session has returned. */
export class TransformResult {
  @Json() result!: unknown;
}

/** Previews of the transform of a workflow (docs/api/workflows.md). */
export const transformPreviews = defineContract(
  { name: 'workflow-transforms', service: 'workflows', tag: 'Workflows' },
  {
    previewTransform: {
      post: '/workflows/{workflow_id}/transform-preview',
      summary: 'Run transform_session on a given session, or on one of chat completions; nothing is stored',
      errors: ['conflict', 'refused'],
      scope: 'invoke',
      input: PreviewTransform,
      output: TransformResult,
      delivery: { slow: true },
    },
  },
);

/** Previews of transforms on a session (docs/api/traffic.md). */
export const sessionTransforms = defineContract(
  { name: 'session-transforms', service: 'workflows', tag: 'Sessions', readsAfter: 'completions' },
  {
    previewSessionTransform: {
      post: '/sessions/{session_id}/transform-preview',
      summary: 'Run transform_session of a workflow on a session; nothing is stored',
      errors: ['conflict', 'refused'],
      scope: 'invoke',
      input: PreviewSessionTransform,
      output: TransformResult,
      delivery: { slow: true },
    },
  },
);
