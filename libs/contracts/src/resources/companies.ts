import { defineContract, list, page } from '../contract.js';
import {
  Default,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  join,
  List,
  Name,
  Nested,
  Nullable,
  Obj,
  Optional,
  partial,
  ShownOnce,
  Str,
} from '../fields/fields.js';
import { oneOfType, patternType, stringType } from '../fields/field-types.js';
import { type Scope, SCOPES } from '../contract.js';
import { Deleted, ListQuery, EmptyInput, TimedListQuery } from '../shapes.js';

/** A model name as it appears in requests and configurations. */
export const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/;
/** The type of a model name, for fields of any contract. */
export const modelNameType = patternType(MODEL_NAME, 'a model name');

/** How long recorded runs are kept, in days; null keeps them forever. */
export class RetentionDays {
  @Int(1, 3650) @Nullable() @Default(null) requests!: number | null;
  @Int(1, 3650) @Nullable() @Default(null) tasks!: number | null;
  @Int(1, 3650) @Nullable() @Default(null) workflow_runs!: number | null;
  @Int(1, 3650) @Nullable() @Default(null) monitor_runs!: number | null;
}

/** The settings that apply to all resources of a company. */
export class CompanySettings {
  @field(modelNameType) @Default('simulated-echo') default_model!: string;
  @field(modelNameType) @Default('simulated-echo') judge_model!: string;
  @field(modelNameType) @Nullable() @Default(null) help_model!: string | null;
  @Nested(() => RetentionDays) retention_days!: RetentionDays;
}

/** The tenant that owns every resource a key can access. */
export class Company {
  @Id() id!: number;
  @Name() name!: string;
  @Nested(() => CompanySettings) settings!: CompanySettings;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

class SettingsChange extends partial(CompanySettings, 'retention_days') {
  @Nested(() => partial(RetentionDays)) @Optional() retention_days?: Partial<RetentionDays>;
}
class UpdateCompany {
  @Name() @Optional() name?: string;
  @Nested(() => SettingsChange) @Optional() settings?: SettingsChange;
}

/** An API key without its secret. */
export class ApiKey {
  @Id() id!: number;
  @Name() name!: string;
  @Str() key_prefix!: string;
  @Str(0, 4) last4!: string;
  @List(oneOfType(SCOPES)) scopes!: Scope[];
  @Epoch() @Nullable() expires_at!: number | null;
  @Epoch() @Nullable() last_used_at!: number | null;
  @Epoch() @Nullable() revoked_at!: number | null;
  @Id() @Nullable() created_by_key_id!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

/** A new API key, the only response that shows its text. */
export class NewApiKey extends ApiKey {
  @Str() @ShownOnce() @Nullable() key!: string | null;
}

class CompanyName {
  @Id() id!: number;
  @Name() name!: string;
}

/** The key that authenticates the call, with its company. */
export class CurrentApiKey extends ApiKey {
  @Nested(() => CompanyName) company!: CompanyName;
}

class KeyPath {
  @Id() api_key_id!: number;
}
class KeyBody {
  @Name() name!: string;
  @List(oneOfType(SCOPES), 1, SCOPES.length) @Default(() => ['read', 'write', 'invoke']) scopes!: Scope[];
  @Epoch() @Nullable() @Optional() expires_at?: number | null;
}
class ListKeys extends ListQuery {
  @Flag() @Optional() revoked?: boolean;
}
class RotateKey extends KeyPath {
  @Int(0, 604_800) @Default(86_400) grace_seconds!: number;
}

/** API keys of the company (api.md 3.2). */
export const apiKeys = defineContract(
  { name: 'api-keys', service: 'accounts', tag: 'API keys' },
  {
    listApiKeys: {
      get: '/api-keys',
      summary: 'List the API keys',
      scope: 'admin',
      input: ListKeys,
      output: page(ApiKey),
    },
    createApiKey: {
      post: '/api-keys',
      summary: 'Create an API key',
      scope: 'admin',
      input: KeyBody,
      output: NewApiKey,
    },
    getCurrentApiKey: {
      get: '/api-keys/current',
      summary: 'Get the key that authenticates this call',
      scope: 'any',
      input: EmptyInput,
      output: CurrentApiKey,
    },
    getApiKey: {
      get: '/api-keys/{api_key_id}',
      summary: 'Get an API key',
      scope: 'admin',
      input: KeyPath,
      output: ApiKey,
    },
    updateApiKey: {
      put: '/api-keys/{api_key_id}',
      summary: 'Change name, scopes or expiry of an API key',
      errors: ['conflict'],
      scope: 'admin',
      input: join(KeyPath, partial(KeyBody)),
      output: ApiKey,
    },
    deleteApiKey: {
      delete: '/api-keys/{api_key_id}',
      summary: 'Delete an API key',
      errors: ['conflict'],
      scope: 'admin',
      input: KeyPath,
      output: Deleted,
    },
    revokeApiKey: {
      post: '/api-keys/{api_key_id}/revoke',
      summary: 'Revoke an API key',
      errors: ['conflict'],
      scope: 'admin',
      input: KeyPath,
      output: ApiKey,
    },
    rotateApiKey: {
      post: '/api-keys/{api_key_id}/rotate',
      summary: 'Replace an API key; the old one stays valid for a grace period',
      errors: ['conflict'],
      scope: 'admin',
      input: RotateKey,
      output: NewApiKey,
    },
  },
);

/** The caller's own company. */
export const companies = defineContract(
  { name: 'companies', service: 'accounts', tag: 'Company' },
  {
    getCompany: { get: '/company', summary: 'Get the company of the key', input: EmptyInput, output: Company },
    updateCompany: {
      put: '/company',
      summary: 'Change name or settings of the company',
      errors: ['not_found'],
      scope: 'admin',
      input: UpdateCompany,
      output: Company,
    },
  },
);

/** The actions in audit entries (api.md 3.4). */
export const AUDIT_ACTIONS = [
  'create',
  'update',
  'delete',
  'publish',
  'release_move',
  'gate_override',
  'enable',
  'disable',
  'revoke',
  'rotate',
  'secret_rotate',
  'import',
  'reset',
  'score',
] as const;

/** The resource types in audit entries: singular family names (api.md 3.4). */
export const AUDITED_TYPES = [
  'application',
  'intent',
  'intent_group',
  'agent',
  'agent_action',
  'agent_release',
  'workflow',
  'workflow_release',
  'monitor',
  'monitor_target',
  'monitor_release',
  'sentinel',
  'session',
  'request',
  'dataset',
  'composition',
  'finetune_run',
  'test_set',
  'test_set_item',
  'test_run',
  'evaluation_criteria',
  'evaluation_run',
  'model',
  'model_provider',
  'tag',
  'tag_rule',
  'tag_run',
  'api_key',
  'webhook',
  'company',
] as const;

/** One successful write. */
export class AuditEntry {
  @Id() id!: number;
  @Id() @Nullable() actor_key_id!: number | null;
  @Str() action!: string;
  @Str() resource_type!: string;
  @Str() resource_id!: string;
  @Obj() @Nullable() before!: Record<string, unknown> | null;
  @Obj() @Nullable() after!: Record<string, unknown> | null;
  @Str() @Nullable() reason!: string | null;
  @Str() request_id!: string;
  @Epoch() date_created!: number;
}

class ListAudit extends TimedListQuery {
  @List(oneOfType(AUDIT_ACTIONS), 1) @Optional() action?: (typeof AUDIT_ACTIONS)[number][];
  @List(oneOfType(AUDITED_TYPES), 1) @Optional() resource_type?: (typeof AUDITED_TYPES)[number][];
  @Str(1, 200) @Optional() resource_id?: string;
  @Id() @Optional() actor_key_id?: number;
}

/** The audit log (api.md 3.4). */
export const auditLog = defineContract(
  { name: 'audit-log', service: 'accounts', tag: 'Audit log' },
  {
    listAuditEntries: {
      get: '/audit-log',
      summary: 'List the successful writes of the company, newest first',
      scope: 'admin',
      input: ListAudit,
      output: page(AuditEntry),
    },
  },
);

class KeyText {
  @Str(1, 200) key!: string;
}
/** The company and rights of a key. */
export class Identity {
  @Id() company_id!: number;
  @Id() key_id!: number;
  @List(oneOfType(SCOPES)) scopes!: Scope[];
  @Epoch() @Nullable() expires_at!: number | null;
}
class CreateCompany {
  @Name() name!: string;
}
/** A new company with its first key. */
export class CreatedCompany {
  @Id() company_id!: number;
  @Str() @ShownOnce() @Nullable() api_key!: string | null;
}
class CreateCompanyKey {
  @Id() company_id!: number;
  @Name() name!: string;
  @List(oneOfType(SCOPES), 1, SCOPES.length) scopes!: Scope[];
}
class CreatedKey {
  @Id() id!: number;
  @Str() @ShownOnce() @Nullable() key!: string | null;
}
class CompanyPath {
  @Id() company_id!: number;
}
class EgressAllow extends CompanyPath {
  @List(stringType(1, 200), 0, 100) allow!: string[];
}
/** The fields of a company that other services need. */
export class CompanyProfile {
  @Id() company_id!: number;
  @Nested(() => CompanySettings) settings!: CompanySettings;
  @List(stringType(1, 200)) egress_allow!: string[];
}
/** A company as listed for the operator. */
export class CompanyRow {
  @Id() company_id!: number;
  @Name() name!: string;
  @List(stringType(1, 200)) egress_allow!: string[];
  @Epoch() date_created!: number;
}

/** Internal: the gateway resolves keys, services ask for settings. */
export const identities = defineContract(
  { name: 'identities', service: 'accounts', tag: 'Internal' },
  {
    resolveKey: { summary: 'Resolve an API key to its company and scopes', input: KeyText, output: Identity },
    getCompanyProfile: {
      summary: 'Get the settings and egress rules of a company',
      input: CompanyPath,
      output: CompanyProfile,
    },
  },
);

/** Internal: operator commands from the shell of the server. */
export const operator = defineContract(
  { name: 'operator', service: 'accounts', tag: 'Internal' },
  {
    createCompany: { summary: 'Create a company with its first key', input: CreateCompany, output: CreatedCompany },
    createCompanyKey: { summary: 'Add a key to a company', input: CreateCompanyKey, output: CreatedKey },
    setEgressAllow: {
      summary: 'Set the private addresses a company may reach',
      input: EgressAllow,
      output: CompanyProfile,
    },
    listCompanies: { summary: 'List the companies', input: EmptyInput, output: list(CompanyRow) },
  },
);
