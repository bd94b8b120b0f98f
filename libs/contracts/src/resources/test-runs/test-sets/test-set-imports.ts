import { Checked } from '../../../fields/checks.js';
import { defineContract } from '../../../contract.js';
import { Count, Default, Flag, ListOf, Nested, Obj, OneOf, Optional, Str, Uuid } from '../../../fields/fields.js';
import { FLATTEN_VARIANTS, type FlattenVariant, type ItemSource, TestSetItem } from './test-set-items.js';
import { TestSetPath } from './test-sets.js';

export const IMPORT_SOURCES = ['REQUEST', 'WORKFLOW_RUN', 'AGENT_TASK'] as const;

class ImportRequest extends TestSetPath {
  @Uuid() request_id!: string;
  @Flag() @Default(true) use_correction!: boolean;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
}
class ImportWorkflowRun extends TestSetPath {
  @Uuid() workflow_run_id!: string;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
}
class ImportAgentTask extends TestSetPath {
  @Uuid() agent_task_id!: string;
  @OneOf(FLATTEN_VARIANTS) @Default(FLATTEN_VARIANTS[0]) flatten_variant!: FlattenVariant;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
}

/** The item of a source, and whether this call has added it. */
export class ImportedItem {
  @Nested(() => TestSetItem) item!: TestSetItem;
  @Flag() created!: boolean;
}

@Checked<ImportSource>(({ source_type, flatten_variant }) =>
  flatten_variant !== undefined && source_type !== 'AGENT_TASK'
    ? { field: 'flatten_variant', message: 'is only used with AGENT_TASK' }
    : undefined,
)
export class ImportSource {
  @OneOf(IMPORT_SOURCES) source_type!: Exclude<ItemSource, 'MANUAL'>;
  @Uuid() source_id!: string;
  @OneOf(FLATTEN_VARIANTS) @Optional() flatten_variant?: FlattenVariant;
}
class ImportBulk extends TestSetPath {
  @ListOf(() => ImportSource, 1, 1000) sources!: ImportSource[];
}

export class FailedImport {
  @OneOf(IMPORT_SOURCES) source_type!: Exclude<ItemSource, 'MANUAL'>;
  @Uuid() source_id!: string;
  @Str(0, 4000) message!: string;
}
export class BulkImport {
  @Count() created!: number;
  @Count() existing!: number;
  @ListOf(() => FailedImport) failed!: FailedImport[];
}

const one = '/unified-test-sets/{test_set_id}' as const;

/** Imports of production traffic into test sets (docs/api/tests.md). */
export const testSetImports = defineContract(
  { name: 'test-set-imports', service: 'test-runs', tag: 'Unified Test Sets' },
  {
    importRequest: {
      post: `${one}/import-request`,
      summary: 'Import a recorded request; importing it again returns the same item',
      errors: ['conflict'],
      input: ImportRequest,
      output: ImportedItem,
    },
    importWorkflowRun: {
      post: `${one}/import-workflow-run`,
      summary: 'Import a completed workflow run; importing it again returns the same item',
      errors: ['conflict'],
      input: ImportWorkflowRun,
      output: ImportedItem,
    },
    importAgentTask: {
      post: `${one}/import-agent-task`,
      summary: 'Import a completed agent task; importing it again returns the same item',
      errors: ['conflict'],
      input: ImportAgentTask,
      output: ImportedItem,
    },
    importBulk: {
      post: `${one}/import-bulk`,
      summary: 'Import many sources; each is imported once',
      errors: ['conflict'],
      input: ImportBulk,
      output: BulkImport,
      http: { body: 'large' },
      delivery: { slow: true },
    },
  },
);
