import { Count, Int, Matching, Nullable, OneOf, Str, Uuid } from './fields/fields.js';

/** The media types of uploaded files, next to multipart/form-data with a file of one of them. */
export const UPLOAD_TYPES = ['application/jsonl', 'application/x-ndjson', 'text/csv', 'text/plain'] as const;
export type UploadType = (typeof UPLOAD_TYPES)[number];

/** The largest file of an upload in bytes. */
export const MAX_UPLOAD_BYTES = 104_857_600;

/** The largest file of bytes of an upload. */
export const MAX_FILE_BYTES = 52_428_800;
/** The size of the parts of a file of bytes; the last one may be shorter. */
export const FILE_PART_BYTES = 1_048_576;

/** A file whose text has been sent in parts, numbered from 0. */
export class Upload {
  @Uuid() id!: string;
  @Int(0, 100_000) parts!: number;
  @OneOf(UPLOAD_TYPES) media_type!: UploadType;
  @Matching(/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal') sha256!: string;
}

/** A file whose bytes have been sent in parts of `FILE_PART_BYTES`, numbered from 0. */
export class FileUpload {
  @Uuid() id!: string;
  @Int(0, 1000) parts!: number;
  @Count() size_bytes!: number;
  @Str(0, 300) @Nullable() content_type!: string | null;
  @Matching(/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal') sha256!: string;
}

/** One part of a file: of text, in which a character is never divided, or of bytes, in base64. */
export class UploadPart {
  @Uuid() upload_id!: string;
  @Int(0, 100_000) part!: number;
  @Str(0, 2_000_000) text!: string;
}

export class StoredPart {
  @Int(0, 100_000) part!: number;
}
