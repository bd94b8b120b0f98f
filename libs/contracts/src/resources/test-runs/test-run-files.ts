import { defineContract } from '../../contract.js';
import { download } from '../../contract/outputs.js';
import { Default, OneOf } from '../../fields/fields.js';
import { TestRunPath } from './test-run-items.js';

export const RUN_EXPORT_FORMATS = ['jsonl', 'csv', 'junit'] as const;
export type RunExportFormat = (typeof RUN_EXPORT_FORMATS)[number];

class ExportTestRun extends TestRunPath {
  @OneOf(RUN_EXPORT_FORMATS) @Default('jsonl') format!: RunExportFormat;
}

/** Test runs as files (docs/api/tests.md). */
export const testRunFiles = defineContract(
  { name: 'test-run-files', service: 'test-runs', tag: 'Unified Test Runs' },
  {
    exportTestRun: {
      get: '/unified-test-runs/{id}/export',
      summary:
        'Export the items of a run as JSONL, as CSV, whose formulas begin with an apostrophe, or as a JUnit report for a pipeline',
      input: ExportTestRun,
      output: download('application/jsonl', 'text/csv', 'application/xml'),
      delivery: { slow: true, abandonable: true },
    },
  },
);
