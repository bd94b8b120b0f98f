import { defineContract } from '../../contract.js';
import { download } from '../../contract/outputs.js';
import { Count, Description, Int, Json, ListOf, Nested, Optional, Str } from '../../fields/fields.js';
import { StoredPart, Upload, UploadPart } from '../../uploads.js';
import { DatasetPath } from './datasets.js';
import { TrainingMessage } from './training-data.js';

class UploadDataset extends DatasetPath {
  @Nested(() => Upload) upload!: Upload;
}

/** One row of an uploaded file, in the format of OpenAI's fine-tuning. */
export class TrainingFileRow {
  @ListOf(() => TrainingMessage, 2, 1000) messages!: TrainingMessage[];
  @Json() @Optional() tools?: unknown[];
}

/** A line of a file that is not a training row. */
export class RejectedRow {
  @Int(1, Number.MAX_SAFE_INTEGER) line!: number;
  @Str(0, 1000) message!: string;
}
export class UploadedRows {
  @Count() added!: number;
  @ListOf(() => RejectedRow, 0, 1000) @Description('The first 1,000 of them') rejected!: RejectedRow[];
}

export const MAX_UPLOAD_ROWS = 50_000;

/** Datasets as files (docs/api/training.md). */
export const datasetFiles = defineContract(
  { name: 'dataset-files', service: 'training', tag: 'Datasets' },
  {
    uploadDatasetRows: {
      post: '/datasets/{dataset_id}/upload',
      summary: 'Add the rows of a JSONL file, at most 100 MiB and 50,000 rows; bad rows are named by their line',
      errors: ['conflict'],
      input: UploadDataset,
      output: UploadedRows,
      http: { upload: 'storeUploadPart' },
      delivery: { slow: true },
    },
    storeUploadPart: {
      summary: 'Store a part of a file until it is imported, at most an hour',
      input: UploadPart,
      output: StoredPart,
    },
    exportDataset: {
      get: '/datasets/{dataset_id}/export',
      summary: "Export the rows of a dataset as JSONL in the format of OpenAI's fine-tuning",
      input: DatasetPath,
      output: download('application/jsonl'),
      delivery: { slow: true, abandonable: true },
    },
  },
);
