import { Serves } from '@signalbox/bus';
import {
  type Artifact,
  artifacts,
  type CallTo,
  Chunks,
  contentTypeType,
  earlierReply,
  type FileUpload,
  type Handlers,
  invalidField,
} from '@signalbox/contracts';
import { filtersOf } from '@signalbox/database';
import { WorkflowRuns } from '../runs/index.js';
import { Workflows } from '../drafts/index.js';
import { ArtifactContents } from './artifact-contents.repository.js';
import { bytesOfBase64 } from './base64.js';
import { Artifacts } from './artifacts.repository.js';
import { view } from './artifacts.sql.js';

type C = typeof artifacts;

const PIECE_BYTES = 131_072;

@Serves(artifacts)
export class ArtifactHandlers implements Handlers<C> {
  constructor(
    private readonly artifacts: Artifacts,
    private readonly contents: ArtifactContents,
    private readonly workflows: Workflows,
    private readonly runs: WorkflowRuns,
  ) {}

  async listArtifacts({ input, caller }: CallTo<C, 'listArtifacts'>) {
    await this.workflows.get(caller.companyId, input.workflow_id);
    const { workflow_id, run_id } = input;
    const which = run_id === undefined ? { of_workflow: null } : { run_id };
    return this.artifacts.list(caller.companyId, { ...input, filters: filtersOf(view, { workflow_id, ...which }) });
  }

  async putArtifact({ input, caller }: CallTo<C, 'putArtifact'>) {
    const earlier = earlierReply<Artifact>(caller);
    if (earlier) return earlier;
    const { workflow_id, key, content_base64 = '', upload, content_type } = input;
    await this.workflows.get(caller.companyId, workflow_id);
    const file = { workflow_id, key, run_id: null, content_type: content_type ?? typeOf(upload) };
    if (upload)
      return this.artifacts.put(caller, async (tx) => ({ ...file, ...(await this.contents.ofUpload(tx, upload)) }));
    const bytes = bytesOfBase64(content_base64);
    if (!bytes) throw invalidField('content_base64', 'must be base64');
    const content = await this.contents.store(caller.companyId, bytes);
    return this.artifacts.put(caller, () => Promise.resolve({ ...file, ...content }));
  }

  storeArtifactPart({ input, caller }: CallTo<C, 'storeArtifactPart'>) {
    return this.contents.storePart(caller.companyId, input);
  }

  getArtifact({ input, caller }: CallTo<C, 'getArtifact'>) {
    return this.artifacts.get(caller.companyId, input.workflow_id, input.artifact_id);
  }

  deleteArtifact({ input, caller }: CallTo<C, 'deleteArtifact'>) {
    return this.artifacts.delete(caller, input.workflow_id, input.artifact_id);
  }

  async getArtifactContent({ input, caller }: CallTo<C, 'getArtifactContent'>) {
    const { companyId } = caller;
    const artifact = await this.artifacts.getContent(companyId, input.workflow_id, input.artifact_id);
    const { key, content_type, size_bytes, sha256 } = artifact;
    const name = key.slice(key.lastIndexOf('/') + 1) || 'artifact';
    return new Chunks(pieces(this.contents.parts(companyId, artifact)), {
      'Content-Type': content_type,
      'Content-Length': String(size_bytes),
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Content-Type-Options': 'nosniff',
      ETag: `"${sha256}"`,
    });
  }

  async listRunArtifacts({ input: { run_id, ...query }, caller }: CallTo<C, 'listRunArtifacts'>) {
    await this.runs.reads.require(caller.companyId, run_id);
    return this.artifacts.list(caller.companyId, { ...query, filters: filtersOf(view, { run_id }) });
  }
}

function typeOf(upload: FileUpload | undefined): string {
  const type = upload?.content_type ?? '';
  return contentTypeType.problem(type) === undefined ? type : 'application/octet-stream';
}

/** Pieces that fit the window of a reply, so that a slow reader holds back the next one. */
async function* pieces(parts: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  for await (const part of parts)
    for (let at = 0; at < part.length; at += PIECE_BYTES) yield part.subarray(at, at + PIECE_BYTES);
}
