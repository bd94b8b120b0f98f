import { Injectable } from '@nestjs/common';
import { Every } from '@signalbox/bus';
import { ApiError, type Artifact, type FileUpload, invalidField, type UploadPart } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { StoredObjects } from '../stored-objects/index.js';
import { bytesOfBase64 } from './base64.js';
import { STORE_PART, PARTS_OF_UPLOAD, HASHES_OF, DELETE_ORPHANED_PARTS, SLICE } from './artifact-contents.sql.js';

const SWEEP_MS = 600_000;
const KEPT_MS = 3_600_000;
const SLICES_OF_A_PASS = 5;

interface SweptPart {
  date_created: number;
  company_id: number;
  upload_id: string;
  part: number;
}
const FIRST: SweptPart = { date_created: 0, company_id: 0, upload_id: '00000000-0000-0000-0000-000000000000', part: 0 };

/** Either one object under its hash, or the parts of an upload. */
export interface StoredContent extends Pick<Artifact, 'sha256' | 'size_bytes'> {
  upload_id: string | null;
}

/**
 * A large file arrives in parts, perhaps at several processes, and stays in these parts: it is written once and never
 * in memory as a whole. SQL: parts are counted and read by upload, and swept by the worker role.
 */
@Injectable()
export class ArtifactContents {
  private swept = FIRST;

  constructor(
    private readonly db: Database,
    private readonly objects: StoredObjects,
  ) {}

  async store(companyId: number, bytes: Uint8Array): Promise<StoredContent> {
    const key = await this.objects.put(companyId, bytes);
    return { sha256: key.slice(key.indexOf('/') + 1), size_bytes: bytes.length, upload_id: null };
  }

  async storePart(companyId: number, { upload_id, part, text }: UploadPart): Promise<{ part: number }> {
    const bytes = bytesOfBase64(text);
    if (!bytes) throw invalidField('text', 'must be base64');
    const { sha256, size_bytes } = await this.store(companyId, bytes);
    await this.db.withCompany({ companyId }, (tx) =>
      tx.query(STORE_PART, [companyId, upload_id, part, sha256, size_bytes]),
    );
    return { part };
  }

  /** Throws 400 when a part is missing. */
  async ofUpload(tx: Tx, { id, parts, size_bytes, sha256 }: FileUpload): Promise<StoredContent> {
    // The sweep leaves parts that are younger than an hour, as those of an upload in progress are.
    const stored = await tx.query<{ part: number; size_bytes: number }>(PARTS_OF_UPLOAD, [tx.companyId, id]);
    const size = stored.reduce((sum, part) => sum + part.size_bytes, 0);
    const isWhole = stored.length === parts && size === size_bytes && stored.every(({ part }, at) => part === at);
    if (!isWhole) throw invalidField('file', 'is not complete');
    return { sha256, size_bytes, upload_id: id };
  }

  /** Only for files whose size the caller has bounded. */
  async bytes(companyId: number, content: StoredContent): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.parts(companyId, content)) parts.push(part);
    return Buffer.concat(parts);
  }

  /** Holds one part in memory at a time. */
  async *parts(companyId: number, { sha256, upload_id }: StoredContent): AsyncGenerator<Buffer> {
    const hashes = upload_id === null ? [sha256] : await this.hashesOf(companyId, upload_id);
    for (const hash of hashes) {
      const bytes = await this.objects.get(`${companyId}/${hash}`);
      if (!bytes) throw new ApiError('internal', 'the content of the artifact is missing in the object store');
      yield bytes;
    }
  }

  private async hashesOf(companyId: number, uploadId: string): Promise<string[]> {
    const rows = await this.db.select<{ sha256: string }>(companyId, HASHES_OF, [uploadId]);
    return rows.map(({ sha256 }) => sha256);
  }

  /**
   * Deletes parts that no artifact has any more, or that none has had within an hour. Each pass continues where the
   * last one ended and reads a bounded number of parts: most of them stay.
   */
  @Every(SWEEP_MS, 'abandoned uploads could not be deleted')
  async sweep(stop: AbortSignal): Promise<void> {
    for (let slice = 0; slice < SLICES_OF_A_PASS && !stop.aborted; slice++) {
      this.swept = await this.sweepAfter(this.swept);
      if (this.swept === FIRST) return;
    }
  }

  private async sweepAfter(after: SweptPart): Promise<SweptPart> {
    const [last] = await this.db.asWorker<SweptPart & { looked_at: number }>(DELETE_ORPHANED_PARTS, [
      KEPT_MS,
      after.date_created,
      after.company_id,
      after.upload_id,
      after.part,
    ]);
    return last && last.looked_at === SLICE ? last : FIRST;
  }
}
