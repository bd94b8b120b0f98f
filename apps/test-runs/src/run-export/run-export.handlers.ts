import { Serves } from '@signalbox/bus';
import { type CallTo, Chunks, type Handlers, type RunExportFormat, testRunFiles } from '@signalbox/contracts';
import { csvRecord } from '@signalbox/platform';
import { fileText, type FileShape, jsonlLine } from '../files/index.js';
import { TestRunRows } from '../run-records/index.js';
import { type ExportedItem, type ExportedRun, ExportedRuns, JSON_COLUMNS } from './exported-runs.repository.js';
import { junitHead, JUNIT_FOOT, testCase } from './junit.js';
import { RUN_FILE_COLUMNS } from './exported-runs.sql.js';

type C = typeof testRunFiles;

const SHAPES: Readonly<Record<RunExportFormat, (run: ExportedRun) => FileShape<ExportedItem>>> = {
  jsonl: () => ({ text: (item) => jsonlLine(item, RUN_FILE_COLUMNS, JSON_COLUMNS) }),
  csv: () => ({
    head: csvRecord([...RUN_FILE_COLUMNS]),
    text: (item) => csvRecord(RUN_FILE_COLUMNS.map((name) => item[name])),
  }),
  junit: (run) => ({ head: junitHead(run), text: (item) => testCase(run, item), foot: JUNIT_FOOT }),
};

const FILES: Readonly<Record<RunExportFormat, { type: string; ending: string }>> = {
  jsonl: { type: 'application/jsonl', ending: 'jsonl' },
  csv: { type: 'text/csv', ending: 'csv' },
  junit: { type: 'application/xml', ending: 'xml' },
};

@Serves(testRunFiles)
export class RunExportHandlers implements Handlers<C> {
  constructor(
    private readonly rows: TestRunRows,
    private readonly exports: ExportedRuns,
  ) {}

  async exportTestRun({ input: { id: no, format }, caller, signal }: CallTo<C, 'exportTestRun'>): Promise<Chunks> {
    const { companyId } = caller;
    const { id } = await this.rows.find(companyId, no);
    const run = await this.exports.run(companyId, id);
    const { type, ending } = FILES[format];
    return new Chunks(fileText(this.exports.items(companyId, id), SHAPES[format](run), signal), {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="test-run-${no}.${ending}"`,
    });
  }
}
