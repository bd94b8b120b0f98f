import { Serves } from '@signalbox/bus';
import {
  type CallTo,
  Chunks,
  datasetFiles,
  earlierReply,
  type Handlers,
  type UploadedRows,
} from '@signalbox/contracts';
import { Uploads } from '@signalbox/database';
import { Datasets } from '../datasets/index.js';
import { type RowTexts, trainingLine } from '../requests/index.js';
import { FileExports } from './file-export.repository.js';
import { FileUploads } from './file-upload.repository.js';

type C = typeof datasetFiles;

@Serves(datasetFiles)
export class DatasetFileHandlers implements Handlers<C> {
  constructor(
    private readonly datasets: Datasets,
    private readonly exports: FileExports,
    private readonly files: FileUploads,
    private readonly uploads: Uploads,
  ) {}

  async uploadDatasetRows({ input, caller }: CallTo<C, 'uploadDatasetRows'>) {
    const earlier = earlierReply<UploadedRows>(caller);
    return earlier ?? this.files.run(caller, input.dataset_id, input.upload);
  }

  storeUploadPart({ input, caller }: CallTo<C, 'storeUploadPart'>) {
    return this.uploads.store(caller, input);
  }

  async exportDataset({ input: { dataset_id }, caller, signal }: CallTo<C, 'exportDataset'>): Promise<Chunks> {
    await this.datasets.require(caller.companyId, dataset_id);
    const pages = this.exports.rows(caller.companyId, dataset_id);
    return jsonlFile(pages, `dataset-${dataset_id}.jsonl`, signal);
  }
}

export function jsonlFile(
  pages: AsyncIterable<readonly RowTexts[]>,
  filename: string,
  signal: AbortSignal | undefined,
): Chunks {
  return new Chunks(linesOf(pages, signal), {
    'Content-Type': 'application/jsonl; charset=utf-8',
    'Content-Disposition': `attachment; filename="${filename}"`,
  });
}

async function* linesOf(pages: AsyncIterable<readonly RowTexts[]>, signal: AbortSignal | undefined) {
  for await (const page of pages) {
    if (signal?.aborted) return;
    for (const row of page) yield trainingLine(row);
  }
}
