import { Injectable } from '@nestjs/common';
import {
  ApiError,
  type Caller,
  invalidField,
  MAX_UPLOAD_ROWS,
  type RejectedRow,
  type Upload,
  type UploadedRows,
} from '@signalbox/contracts';
import { Database, linesOf, type Tx, Uploads } from '@signalbox/database';
import { Datasets, type LockedDataset, requireCapacity } from '../datasets/index.js';
import { DatasetRequests, type NewRow, rowOfFile } from '../requests/index.js';

const MAX_REJECTED = 1000;
const MAX_MESSAGE = 1000;
/** Characters per line; a row cannot be larger. */
const MAX_CHARS = 1_310_720;
/** Rows per statement. */
const BATCH = 500;

/** Adds all valid rows of a file in one transaction. */
@Injectable()
export class FileUploads {
  constructor(
    private readonly db: Database,
    private readonly uploads: Uploads,
    private readonly datasets: Datasets,
    private readonly requests: DatasetRequests,
  ) {}

  run(caller: Caller, datasetId: number, upload: Upload): Promise<UploadedRows> {
    if (upload.media_type === 'text/csv') throw invalidField('file', 'must be JSONL');
    return this.db.withCompany(caller, async (tx) => {
      const dataset = await this.datasets.lockRows(tx, datasetId);
      const outcome = await this.add(tx, dataset, upload);
      await this.uploads.remove(tx, upload);
      await this.datasets.count(tx, dataset, outcome.added);
      tx.audit({
        action: 'import',
        resource_type: 'dataset',
        resource_id: String(datasetId),
        before: null,
        after: { added: outcome.added, file_sha256: upload.sha256 },
      });
      return outcome;
    });
  }

  private async add(tx: Tx, dataset: LockedDataset, upload: Upload): Promise<UploadedRows> {
    const rejected: RejectedRow[] = [];
    let added = 0;
    // Without reported lines, so that a full file with a few bad lines is accepted.
    let rows = 0;
    let batch: NewRow[] = [];
    const write = async (): Promise<void> => {
      requireCapacity(dataset.request_count + added, batch.length);
      added += (await this.requests.insertRows(tx, dataset, batch)).length;
      batch = [];
    };
    for await (const { line, text } of linesOf(this.uploads.texts(tx, upload), MAX_CHARS)) {
      if (text?.trim() === '') continue;
      const row = rowOfLine(text);
      const isReported = typeof row === 'string' && rejected.length < MAX_REJECTED;
      if (isReported) rejected.push({ line, message: row.slice(0, MAX_MESSAGE) });
      else if (++rows > MAX_UPLOAD_ROWS) throw invalidField('file', `has more than ${MAX_UPLOAD_ROWS} rows`);
      else if (typeof row !== 'string') batch.push(row);
      if (batch.length >= BATCH) await write();
    }
    await write();
    if (added === 0) throw noValidRow(rejected);
    return { added, rejected };
  }
}

/** The row of a line, or the problem with it. */
function rowOfLine(text: string | null): NewRow | string {
  if (text === null) return `the line has more than ${MAX_CHARS} characters`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'the line is not valid JSON';
  }
  try {
    return rowOfFile(value);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

function noValidRow(rejected: readonly RejectedRow[]): ApiError {
  const [first] = rejected;
  const problem = first === undefined ? 'has no rows' : `has no good row: line ${first.line}: ${first.message}`;
  return invalidField('file', problem);
}
