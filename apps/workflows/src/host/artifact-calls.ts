import { Injectable } from '@nestjs/common';
import { isUtf8 } from 'node:buffer';
import { ApiError, type Artifact, artifactKeyType, contentTypeType, type JsonText } from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import { retriedPart } from '@signalbox/runs';
import { ScriptHostError } from '@signalbox/scripts';
import { ArtifactContents, Artifacts, bytesOfBase64, type NewArtifact } from '../artifacts/index.js';
import { type CallDetails, type Admit, type HostContext, objectArgument, withoutSecret } from './host-call.js';
import { WorkflowRuns } from '../runs/index.js';

/** The content is in the reply twice, as text and in base64. */
const MAX_READ_BYTES = 6 * 1024 * 1024;

/** `ctx.artifacts`: a script reads files of its workflow and of its run, and writes those of its run. */
@Injectable()
export class ArtifactCalls {
  constructor(
    private readonly artifacts: Artifacts,
    private readonly contents: ArtifactContents,
    private readonly runs: WorkflowRuns,
  ) {}

  async get(
    { job, run, signal }: HostContext,
    [given]: readonly unknown[],
    details: CallDetails,
    admit: Admit,
  ): Promise<object | null> {
    details.key = keyOf(given);
    const find = () => this.artifacts.find(job.companyId, run.workflow_id, run.id, keyOf(given));
    const artifact = await retriedPart(signal, find);
    if (!artifact) return null;
    const { key, content_type, size_bytes } = artifact;
    if (size_bytes > MAX_READ_BYTES)
      throw new ScriptHostError('RangeError', `the artifact has ${size_bytes} bytes, a script reads ${MAX_READ_BYTES}`);
    await admit(size_bytes);
    const bytes = await retriedPart(signal, () => this.contents.bytes(job.companyId, artifact));
    const text = isUtf8(bytes) ? bytes.toString('utf8') : null;
    return { key, content_type, size_bytes, text, base64: bytes.toString('base64') };
  }

  /** Replaces a file of the same key, and values of secrets in the content. */
  async put(
    { job, run, secrets, signal }: HostContext,
    [given, content, options]: readonly unknown[],
    details: CallDetails,
  ) {
    const key = withoutSecret(keyOf(given), 'the key of an artifact', secrets);
    details.key = key;
    const { content_type = 'application/octet-stream', encoding = 'utf8' } = objectArgument(options, 'the options');
    if (contentTypeType.problem(content_type))
      throw new ScriptHostError('TypeError', 'content_type must be a media type');
    withoutSecret(String(content_type), 'content_type', secrets);
    const plain = bytesOf(content, encoding);
    const bytes = secrets ? secrets.scrubber().bytes(plain) : plain;
    const stored = await retriedPart(signal, () => this.contents.store(job.companyId, bytes));
    const file = { workflow_id: run.workflow_id, run_id: run.id, key, content_type: String(content_type) };
    const replace = () => this.replace(job, run.id, { ...file, ...stored });
    const { id, size_bytes, sha256 } = await retriedPart(signal, replace).catch(refused);
    return { id, key, size_bytes, sha256 };
  }

  /** Refused when the run has ended, or when another worker executes it. */
  private async replace(job: Job, runId: string, artifact: NewArtifact): Promise<Artifact> {
    let made: JsonText<Artifact> | undefined;
    await this.runs.writes.fenced(job, runId, async (tx) => {
      made = await this.artifacts.putIn(tx, artifact);
      return [];
    });
    return JSON.parse(made?.text ?? 'null') as Artifact;
  }
}

function keyOf(given: unknown): string {
  const problem = artifactKeyType.problem(given);
  if (problem) throw new ScriptHostError('TypeError', `the key of an artifact ${problem}`);
  return given as string;
}

function bytesOf(content: unknown, encoding: unknown): Buffer {
  if (typeof content !== 'string') throw new ScriptHostError('TypeError', 'the content must be a string');
  if (encoding === 'utf8') return Buffer.from(content);
  const bytes = encoding === 'base64' ? bytesOfBase64(content) : null;
  if (!bytes) throw new ScriptHostError('TypeError', 'the content must be base64, or the encoding utf8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function refused(error: unknown): never {
  if (error instanceof ApiError && error.kind === 'conflict') throw new ScriptHostError('RangeError', error.message);
  throw error;
}
