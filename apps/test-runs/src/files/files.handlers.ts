import { Serves } from '@signalbox/bus';
import { type CallTo, Chunks, earlierReply, type FileImport, type Handlers, testSetFiles } from '@signalbox/contracts';
import { Uploads } from '@signalbox/database';
import { csvRecord } from '@signalbox/platform';
import { TestSets } from '../sets/index.js';
import { FILE_COLUMNS, FileExports, type FileItem } from './file-export.repository.js';
import { FileImports } from './file-import.repository.js';
import { fileText, jsonlLine } from './file-text.js';

type C = typeof testSetFiles;

const JSON_COLUMNS = new Set<string>(['input', 'expected_output', 'response_sub', 'meta']);

const jsonl = (item: FileItem): string => jsonlLine(item, FILE_COLUMNS, JSON_COLUMNS);
const csv = (item: FileItem): string => csvRecord(FILE_COLUMNS.map((name) => item[name]));

@Serves(testSetFiles)
export class TestSetFileHandlers implements Handlers<C> {
  constructor(
    private readonly sets: TestSets,
    private readonly exports: FileExports,
    private readonly imports: FileImports,
    private readonly uploads: Uploads,
  ) {}

  async exportTestSet({ input, caller, signal }: CallTo<C, 'exportTestSet'>): Promise<Chunks> {
    const { test_set_id, format } = input;
    await this.sets.require(caller.companyId, test_set_id);
    const pages = this.exports.items(caller.companyId, test_set_id);
    const isCsv = format === 'csv';
    const shape = isCsv ? { head: csvRecord([...FILE_COLUMNS]), text: csv } : { text: jsonl };
    return new Chunks(fileText(pages, shape, signal), {
      'Content-Type': isCsv ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8',
      'Content-Disposition': `attachment; filename="test-set-${test_set_id}.${format}"`,
    });
  }

  async importTestSetFile({ input, caller }: CallTo<C, 'importTestSetFile'>) {
    const earlier = earlierReply<FileImport>(caller);
    return earlier ?? this.imports.run(caller, input.test_set_id, input.upload);
  }

  storeUploadPart({ input, caller }: CallTo<C, 'storeUploadPart'>) {
    return this.uploads.store(caller, input);
  }
}
