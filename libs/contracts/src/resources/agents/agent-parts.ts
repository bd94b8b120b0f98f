import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import {
  Count,
  Default,
  field,
  Flag,
  Id,
  Int,
  join,
  Json,
  List,
  Name,
  Nullable,
  omit,
  OneOf,
  Optional,
  partial,
  SemVer,
  Slug,
  Str,
  Text,
} from '../../fields/fields.js';
import { stringType } from '../../fields/field-types.js';
import { AtMostOne, Checked } from '../../fields/checks.js';
import { Deleted, ListQuery } from '../../shapes.js';
import { versionWord } from '../../versions/versions.js';
import { AgentPath } from './agent-path.js';

const RESULT_TYPES = ['gather_info', 'complete_task'] as const;

/** A list of the parts of an agent, sorted by position by default. */
export class PartsQuery extends ListQuery {
  @Id() agent_id!: number;
  @Str(1, 64) @Default('position') declare sort: string;
}

class LinkBody {
  @Id() child_agent_id!: number;
  @field(versionWord) @Nullable() @Optional() version?: string | null;
  @Slug() @Nullable() @Optional() release?: string | null;
  @OneOf(RESULT_TYPES) @Default('gather_info') action_result_type!: (typeof RESULT_TYPES)[number];
}

/** An agent that another agent may call. */
export class SubAgentLink {
  @Id() id!: number;
  @Id() agent_id!: number;
  @Id() child_agent_id!: number;
  @SemVer() @Nullable() version!: string | null;
  @Slug() @Nullable() release!: string | null;
  @OneOf(RESULT_TYPES) action_result_type!: (typeof RESULT_TYPES)[number];
  @Count() position!: number;
  @Count() date_created!: number;
  @Count() date_updated!: number;
}

class LinkPath extends AgentPath {
  @Id() child_agent_id!: number;
}
@AtMostOne('version', 'release')
class CreateLink extends join(AgentPath, LinkBody) {}
@AtMostOne('version', 'release')
class UpdateLink extends join(LinkPath, partial(omit(LinkBody, 'child_agent_id'))) {}

const link = '/agents/{agent_id}/subagents/{child_agent_id}';

/** Sub-agents (docs/api/agents.md). */
export const subAgents = defineContract(
  { name: 'sub-agents', service: 'agents', tag: 'Agents' },
  {
    listSubAgents: {
      get: '/agents/{agent_id}/subagents',
      summary: 'List the sub-agents of an agent',
      input: PartsQuery,
      output: page(SubAgentLink),
    },
    addSubAgent: {
      post: '/agents/{agent_id}/subagents',
      summary: 'Link a sub-agent to an agent',
      errors: ['conflict'],
      input: CreateLink,
      output: SubAgentLink,
    },
    updateSubAgent: { put: link, summary: 'Change the link to a sub-agent', input: UpdateLink, output: SubAgentLink },
    removeSubAgent: {
      delete: link,
      summary: 'Remove a sub-agent',
      errors: ['conflict'],
      input: LinkPath,
      output: Deleted,
    },
  },
);

export const FIELD_TYPES = ['string', 'number', 'boolean', 'date', 'enum', 'object', 'array'] as const;
const FIELD_SCOPES = ['all', 'self'] as const;

export class FormFieldBody {
  @Slug() field_key!: string;
  @Name() label!: string;
  @OneOf(FIELD_TYPES) field_type!: (typeof FIELD_TYPES)[number];
  @Text() @Nullable() @Optional() description?: string | null;
  @Flag() @Default(false) required!: boolean;
  @List(stringType(1, 200), 1, 200) @Nullable() @Optional() enum_values?: string[] | null;
  @Json(65_536) @Nullable() @Optional() default_value?: unknown;
  @OneOf(FIELD_SCOPES) @Default('all') read_scope!: (typeof FIELD_SCOPES)[number];
  @OneOf(FIELD_SCOPES) @Default('all') write_scope!: (typeof FIELD_SCOPES)[number];
}

/** A value that a session of an agent gathers. */
export class FormField {
  @Id() id!: number;
  @Id() agent_id!: number;
  @Slug() field_key!: string;
  @Name() label!: string;
  @OneOf(FIELD_TYPES) field_type!: (typeof FIELD_TYPES)[number];
  @Text() @Nullable() description!: string | null;
  @Flag() required!: boolean;
  @List(stringType(1, 200)) @Nullable() enum_values!: string[] | null;
  @Json() @Nullable() default_value!: unknown;
  @OneOf(FIELD_SCOPES) read_scope!: (typeof FIELD_SCOPES)[number];
  @OneOf(FIELD_SCOPES) write_scope!: (typeof FIELD_SCOPES)[number];
  @Count() position!: number;
  @Count() date_created!: number;
  @Count() date_updated!: number;
}

@Checked<CreateField>(({ field_type, enum_values }) =>
  field_type === 'enum' && !enum_values?.length
    ? { field: 'enum_values', message: 'is required when field_type is enum' }
    : undefined,
)
class CreateField extends join(AgentPath, FormFieldBody) {
  @Int(0) @Optional() position?: number;
}
class FieldPath extends AgentPath {
  @Id() field_id!: number;
}
class ReorderField extends FieldPath {
  @Int(0) @Optional() position?: number;
}
class UpdateField extends join(ReorderField, partial(FormFieldBody)) {}

const formField = '/agents/{agent_id}/form-fields/{field_id}';

/** Form fields (docs/api/agents.md). */
export const formFields = defineContract(
  { name: 'form-fields', service: 'agents', tag: 'Agents' },
  {
    listFormFields: {
      get: '/agents/{agent_id}/form-fields',
      summary: 'List the form fields of an agent',
      input: PartsQuery,
      output: page(FormField),
    },
    createFormField: {
      post: '/agents/{agent_id}/form-fields',
      summary: 'Add a form field, at the end unless a position is given',
      errors: ['conflict'],
      input: CreateField,
      output: FormField,
    },
    getFormField: { get: formField, summary: 'Get a form field', input: FieldPath, output: FormField },
    updateFormField: {
      put: formField,
      summary: 'Change a form field',
      errors: ['conflict'],
      input: UpdateField,
      output: FormField,
    },
    deleteFormField: { delete: formField, summary: 'Delete a form field', input: FieldPath, output: Deleted },
    reorderFormField: {
      put: `${formField}/reorder`,
      summary: 'Move a form field to a position; without one to the end',
      input: ReorderField,
      output: FormField,
      http: { exactMethod: true },
    },
  },
);
