import { Int, Matching, OneOf, Str, Uuid } from './fields/fields.js';

/** The media types of uploaded files, next to multipart/form-data with a file of one of them. */
export const UPLOAD_TYPES = ['application/jsonl', 'application/x-ndjson', 'text/csv', 'text/plain'] as const;
/** A media type of uploaded files. */
export type UploadType = (typeof UPLOAD_TYPES)[number];

/** The largest file of an upload in bytes. */
export const MAX_UPLOAD_BYTES = 104_857_600;

/** A file whose text has been sent in parts, numbered from 0. */
export class Upload {
  @Uuid() id!: string;
  @Int(0, 100_000) parts!: number;
  @OneOf(UPLOAD_TYPES) media_type!: UploadType;
  @Matching(/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal') sha256!: string;
}

/** One part of the text of a file; a character is never divided. */
export class UploadPart {
  @Uuid() upload_id!: string;
  @Int(0, 100_000) part!: number;
  @Str(0, 2_000_000) text!: string;
}

/** A part that is stored. */
export class StoredPart {
  @Int(0, 100_000) part!: number;
}
