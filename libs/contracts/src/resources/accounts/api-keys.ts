import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { type Scope, SCOPES } from '../../contract/caller.js';
import { oneOfType } from '../../fields/field-types.js';
import {
  Default,
  Epoch,
  Flag,
  Id,
  Int,
  join,
  List,
  Name,
  Nested,
  Nullable,
  Optional,
  partial,
  ShownOnce,
  Str,
} from '../../fields/fields.js';
import { Deleted, EmptyInput, ListQuery } from '../../shapes.js';

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

/** API keys of the company (docs/api/README.md). */
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
      errors: ['conflict'],
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
