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

/** A part of an upload in the order of the sweep. */
interface SweptPart {
  date_created: number;
  company_id: number;
  upload_id: string;
  part: number;
}
const FIRST: SweptPart = { date_created: 0, company_id: 0, upload_id: '00000000-0000-0000-0000-000000000000', part: 0 };

/** Where the content of a file is: an object under its hash, or the parts of an upload. */
export interface StoredContent extends Pick<Artifact, 'sha256' | 'size_bytes'> {
  upload_id: string | null;
}

/**
 * Contents of files. A large one arrives in parts, which may be stored by different processes; it stays in these parts,
 * so that it is written once and never in memory as a whole.
 *
 * SQL: parts are counted and read by upload, and swept by the worker role.
 */
@Injectable()
export class ArtifactContents {
  private swept = FIRST;

  constructor(
    private readonly db: Database,
    private readonly objects: StoredObjects,
  ) {}

  /** Stores a content that is in memory. */
  async store(companyId: number, bytes: Uint8Array): Promise<StoredContent> {
    const key = await this.objects.put(companyId, bytes);
    return { sha256: key.slice(key.indexOf('/') + 1), size_bytes: bytes.length, upload_id: null };
  }

  /** Stores a part of an upload; a repeat leaves the first one. */
  async storePart(companyId: number, { upload_id, part, text }: UploadPart): Promise<{ part: number }> {
    const bytes = bytesOfBase64(text);
    if (!bytes) throw invalidField('text', 'must be base64');
    const { sha256, size_bytes } = await this.store(companyId, bytes);
    await this.db.withCompany({ companyId }, (tx) =>
      tx.query(STORE_PART, [companyId, upload_id, part, sha256, size_bytes]),
    );
    return { part };
  }

  /** The content of an upload whose parts are stored; 400 when a part is missing. */
  async ofUpload(tx: Tx, { id, parts, size_bytes, sha256 }: FileUpload): Promise<StoredContent> {
    // The sweep leaves parts that are younger than an hour; those of an upload in progress are.
    const stored = await tx.query<{ part: number; size_bytes: number }>(PARTS_OF_UPLOAD, [tx.companyId, id]);
    const size = stored.reduce((sum, part) => sum + part.size_bytes, 0);
    const isWhole = stored.length === parts && size === size_bytes && stored.every(({ part }, at) => part === at);
    if (!isWhole) throw invalidField('file', 'is not complete');
    return { sha256, size_bytes, upload_id: id };
  }

  /** A content in memory; for files whose size the caller has bounded. */
  async bytes(companyId: number, content: StoredContent): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.parts(companyId, content)) parts.push(part);
    return Buffer.concat(parts);
  }

  /** A content part by part, of which one is in memory. */
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
   * Deletes the parts of uploads that no artifact has any more, or that none has had within an hour. Each pass continues
   * where the last one has ended and looks at a bounded number of parts; most of them stay.
   */
  @Every(SWEEP_MS, 'abandoned uploads could not be deleted')
  async sweep(stop: AbortSignal): Promise<void> {
    for (let slice = 0; slice < SLICES_OF_A_PASS && !stop.aborted; slice++) {
      this.swept = await this.sweepAfter(this.swept);
      if (this.swept === FIRST) return;
    }
  }

  /** Sweeps the parts after this one; returns the last of them, or the first of all when there are no more. */
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
