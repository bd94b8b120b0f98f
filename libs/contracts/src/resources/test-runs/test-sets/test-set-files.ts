import { defineContract } from '../../../contract.js';
import { download } from '../../../contract/outputs.js';
import { Checked } from '../../../fields/checks.js';
import { Count, Default, Int, ListOf, Nested, Nullable, Obj, OneOf, Optional, Str } from '../../../fields/fields.js';
import { StoredPart, Upload, UploadPart } from '../../../uploads.js';
import { Expected, TestInput } from './test-data.js';
import { FLATTEN_VARIANTS, type FlattenVariant, ITEM_SOURCES, type ItemSource } from './test-set-items.js';
import { TestSetPath } from './test-sets.js';

export const EXPORT_FORMATS = ['jsonl', 'csv'] as const;

class ExportTestSet extends TestSetPath {
  @OneOf(EXPORT_FORMATS) @Default('jsonl') format!: (typeof EXPORT_FORMATS)[number];
}
class ImportFile extends TestSetPath {
  @Nested(() => Upload) upload!: Upload;
}

export class FileOverride {
  @Nested(() => Expected) expected_output!: Expected;
  @Str(0, 2000) @Nullable() @Optional() note?: string | null;
}

@Checked<TestSetFileRow>(({ source_type = 'MANUAL', source_id = null }) =>
  (source_type === 'MANUAL') === (source_id === null)
    ? undefined
    : { field: 'source_id', message: `must be ${source_type === 'MANUAL' ? 'absent' : 'present'} with ${source_type}` },
)
export class TestSetFileRow {
  @Nested(() => TestInput) input!: TestInput;
  @Nested(() => Expected) @Nullable() @Optional() expected_output?: Expected | null;
  @Nested(() => FileOverride) @Nullable() @Optional() response_sub?: FileOverride | null;
  @Obj() @Nullable() @Optional() meta?: Record<string, unknown> | null;
  @OneOf(ITEM_SOURCES) @Optional() source_type?: ItemSource;
  @Str(1, 200) @Nullable() @Optional() source_id?: string | null;
  @OneOf(FLATTEN_VARIANTS) @Nullable() @Optional() flatten_variant?: FlattenVariant | null;
}

/** A line of a file that is not an item, or that the set has no room for. */
export class FileError {
  @Int(1, Number.MAX_SAFE_INTEGER) line!: number;
  @Str(0, 1000) message!: string;
}
/** The outcome of the import of a file, with its first 100 errors. */
export class FileImport {
  @Count() created!: number;
  @Count() skipped!: number;
  @ListOf(() => FileError, 0, 100) errors!: FileError[];
}

const one = '/unified-test-sets/{test_set_id}' as const;

/** Test sets as files (docs/api/README.md). */
export const testSetFiles = defineContract(
  { name: 'test-set-files', service: 'test-runs', tag: 'Unified Test Sets' },
  {
    exportTestSet: {
      get: `${one}/export`,
      summary:
        'Export the items of a test set with their overrides, as JSONL or CSV, whose formulas begin with an apostrophe',
      input: ExportTestSet,
      output: download('application/jsonl', 'text/csv'),
      delivery: { slow: true, abandonable: true },
    },
    // Chosen: `skipped` counts the rows whose source the set has an item of already; rows without a source are new items.
    importTestSetFile: {
      post: `${one}/import-file`,
      summary: 'Add the rows of a JSONL or CSV file, at most 100 MiB; rows that are not items are named by their line',
      errors: ['conflict'],
      input: ImportFile,
      output: FileImport,
      http: { upload: 'storeUploadPart' },
      delivery: { slow: true },
    },
    storeUploadPart: {
      summary: 'Store a part of a file until it is imported, at most an hour',
      input: UploadPart,
      output: StoredPart,
    },
  },
);
