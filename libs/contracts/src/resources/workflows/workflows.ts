import { defineContract } from '../../contract.js';
import { list, page } from '../../contract/outputs.js';
import { AtMostOne } from '../../fields/checks.js';
import { objType, oneOfType } from '../../fields/field-types.js';
import {
  Default,
  Description,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  join,
  List,
  ListOf,
  Matching,
  Name,
  Nullable,
  Obj,
  omit,
  OneOf,
  Optional,
  partial,
  SemVer,
  Slug,
  Str,
} from '../../fields/fields.js';
import { Deleted, EmptyInput, ListQuery, ON_OFF, type OnOff } from '../../shapes.js';
import { LanguageSupport, SCRIPT_LANGUAGES, type ScriptLanguage, ScriptProblem } from '../scripts/scripts.js';
import { nestedRefType, scriptType } from './script-fields.js';
import { WorkflowPath } from './workflow-path.js';
import { switchEndpoints } from '../switch-endpoints.js';

/** How an execution answers unless the call says otherwise. */
export const WORKFLOW_MODES = ['sync', 'async', 'stream'] as const;
export type WorkflowMode = (typeof WORKFLOW_MODES)[number];

export class WorkflowBody {
  @Slug() workflow_ref_name!: string;
  @Name() @Optional() @Description('By default the reference name') workflow_name?: string;
  @Str() @Default('') description!: string;
  @Id() @Nullable() @Optional() application_id?: number | null;
  @Name()
  @Nullable()
  @Optional()
  @Description('Binds to the application of this name and creates it when it does not exist; null unbinds')
  application_name?: string | null;
  @OneOf(SCRIPT_LANGUAGES) @Default('javascript') language!: ScriptLanguage;
  @field(scriptType) script!: string;
  @OneOf(WORKFLOW_MODES) @Default('sync') execution_mode!: WorkflowMode;
  @field(scriptType)
  @Nullable()
  @Optional()
  @Description('A script with transform_session(session); an empty one removes it')
  transform_session?: string | null;
  @field(objType()) @Nullable() @Optional() input_schema?: Record<string, unknown> | null;
  @field(objType()) @Nullable() @Optional() output_schema?: Record<string, unknown> | null;
  @Flag() @Default(false) allow_inproc_nesting!: boolean;
  @List(nestedRefType, 0, 50) @Default(() => []) inproc_nested_refs!: string[];
  @Int(1, 3600) @Default(300) timeout_seconds!: number;
  @Int(16, 512) @Default(128) memory_mb!: number;
  @OneOf(ON_OFF) @Default('ENABLED') status!: OnOff;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
}

const OneBinding = AtMostOne('application_id', 'application_name');

@OneBinding
class CreateWorkflow extends WorkflowBody {}
@OneBinding
class UpdateWorkflow extends join(WorkflowPath, partial(omit(WorkflowBody, 'workflow_ref_name'))) {}

/** A workflow as shown in lists. */
export class WorkflowSummary {
  @Id() id!: number;
  @Slug() workflow_ref_name!: string;
  @Name() workflow_name!: string;
  @Str() description!: string;
  @Id() @Nullable() application_id!: number | null;
  @Name() @Nullable() application_name!: string | null;
  @OneOf(SCRIPT_LANGUAGES) language!: ScriptLanguage;
  @Str() @Description('Where the script is in the object store') script_key!: string;
  @Matching(/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal digits') script_sha256!: string;
  @OneOf(WORKFLOW_MODES) execution_mode!: WorkflowMode;
  @Flag() @Description('A transform exists, here or in the script') transform_enabled!: boolean;
  @field(objType()) @Nullable() input_schema!: Record<string, unknown> | null;
  @field(objType()) @Nullable() output_schema!: Record<string, unknown> | null;
  @Flag() allow_inproc_nesting!: boolean;
  @List(nestedRefType, 0, 50) inproc_nested_refs!: string[];
  @Int(1, 3600) timeout_seconds!: number;
  @Int(16, 512) memory_mb!: number;
  @OneOf(ON_OFF) status!: OnOff;
  @SemVer() @Nullable() latest_version_number!: string | null;
  @Flag() has_unpublished_changes!: boolean;
  @Obj() meta!: Record<string, unknown>;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

export class Workflow extends WorkflowSummary {
  @field(scriptType) @Nullable() transform_session!: string | null;
  @field(scriptType) @Optional() @Description('With include_script=true') script?: string;
}

class ListWorkflows extends ListQuery {
  @Id() @Optional() application_id?: number;
  @List(oneOfType(ON_OFF), 1) @Optional() status?: OnOff[];
  @List(oneOfType(WORKFLOW_MODES), 1) @Optional() execution_mode?: WorkflowMode[];
  @List(oneOfType(SCRIPT_LANGUAGES), 1) @Optional() language?: ScriptLanguage[];
}
class GetWorkflow extends WorkflowPath {
  @Flag() @Default(false) include_script?: boolean;
}
class GetWorkflowByRef {
  @Str(1, 2000) workflow_ref_name!: string;
  @Flag() @Default(false) include_script?: boolean;
}
class DeleteWorkflow extends WorkflowPath {
  @Flag() @Default(false) @Description('Detaches the workflow from the intents that it serves') force?: boolean;
}

class ValidateScript {
  @field(scriptType) script!: string;
  @OneOf(SCRIPT_LANGUAGES) @Default('javascript') language!: ScriptLanguage;
  @field(scriptType) @Nullable() @Optional() transform_session?: string | null;
  @field(objType()) @Nullable() @Optional() input_schema?: Record<string, unknown> | null;
  @field(objType()) @Nullable() @Optional() output_schema?: Record<string, unknown> | null;
}
/** The verdict on a script that was compiled and not run. */
export class ScriptValidation {
  @Flag() valid!: boolean;
  @ListOf(() => ScriptProblem) errors!: ScriptProblem[];
  @Flag() has_transform_session!: boolean;
}
class LanguageQuery {
  @OneOf(SCRIPT_LANGUAGES) @Default('javascript') language!: ScriptLanguage;
}
export class DefaultScript {
  @OneOf(SCRIPT_LANGUAGES) language!: ScriptLanguage;
  @field(scriptType) script!: string;
}
const switched = switchEndpoints('/workflows/{workflow_id}', WorkflowPath, Workflow, {
  enable: 'Enable a workflow',
  disable: 'Disable a workflow; it can no longer be executed',
});

/** Workflows (docs/api/workflows.md). */
export const workflows = defineContract(
  { name: 'workflows', service: 'workflows', tag: 'Workflows' },
  {
    listWorkflows: {
      get: '/workflows',
      summary: 'List the workflows, without their scripts',
      input: ListWorkflows,
      output: page(WorkflowSummary),
    },
    createWorkflow: {
      post: '/workflows',
      summary: 'Create a workflow',
      errors: ['not_found', 'conflict', 'refused'],
      input: CreateWorkflow,
      output: Workflow,
      delivery: { longDeadline: true },
    },
    getWorkflow: {
      get: '/workflows/{workflow_id}',
      summary: 'Get a workflow, with its script when asked for',
      input: GetWorkflow,
      output: Workflow,
      delivery: {
        batchable: 'workflow_id',
        unbatchedWhen: { field: 'include_script', value: true, endpoint: 'getWorkflowWithScript' },
      },
    },
    getWorkflowWithScript: { summary: 'Get a workflow with its script', input: GetWorkflow, output: Workflow },
    getWorkflowByRef: {
      get: '/workflows/by-ref/{workflow_ref_name}',
      summary: 'Get a workflow by its reference name',
      input: GetWorkflowByRef,
      output: Workflow,
    },
    updateWorkflow: {
      put: '/workflows/{workflow_id}',
      summary: 'Change the draft of a workflow; a script that is sent is uploaded again',
      errors: ['conflict', 'refused'],
      input: UpdateWorkflow,
      output: Workflow,
      delivery: { longDeadline: true },
    },
    deleteWorkflow: {
      delete: '/workflows/{workflow_id}',
      summary: 'Delete a workflow',
      errors: ['conflict'],
      input: DeleteWorkflow,
      output: Deleted,
    },
    enableWorkflow: switched.enable,
    disableWorkflow: switched.disable,
    validateScript: {
      post: '/workflows/validate',
      summary: 'Compile a script and check schemas; nothing is run and nothing is stored',
      scope: 'read',
      input: ValidateScript,
      output: ScriptValidation,
      delivery: { longDeadline: true },
    },
    getDefaultScript: {
      get: '/workflows/default-script',
      summary: 'Get a script to begin with',
      input: LanguageQuery,
      output: DefaultScript,
    },
    listLanguages: {
      get: '/workflows/languages',
      summary: 'List the languages of scripts and whether this installation runs them',
      input: EmptyInput,
      output: list(LanguageSupport),
    },
  },
);
