import { Injectable } from '@nestjs/common';
import {
  type Caller,
  conflict,
  type JsonText,
  notFound,
  type Provider,
  emits,
  emission,
  trafficEvents,
} from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx } from '@signalbox/database';
import { ProviderSeal } from './provider-seal.js';
import { ProviderRow } from './provider.entity.js';
import {
  checkInput,
  last4Of,
  plainColumns,
  type ProviderChecks,
  type ProviderInput,
  requireCredentialsOfHost,
  requireOwn,
  splitHeaders,
  writtenSecrets,
} from './provider.js';
import { FIND_MODEL_OF_PROVIDER, FIND_PROVIDER, SET_SEALED, view } from './providers.sql.js';

/** Never leaves this service. */
export type ProviderAccess = Pick<ProviderRow, 'id' | 'provider_name' | 'kind' | 'base_url' | 'timeout_ms'> & {
  apiKey: string | null;
  headers: Record<string, string>;
  /** True when some of the headers are credentials. */
  hasSecretHeaders: boolean;
};

/** SQL: sealed columns are written alone, and a deletion looks for models in its transaction. */
@Injectable()
export class Providers extends CompanyRepository<ProviderRow, Provider> {
  constructor(
    db: Database,
    private readonly seal: ProviderSeal,
  ) {
    super(db, {
      entity: ProviderRow,
      view,
      type: 'model_provider',
      uniqueViolations: { providers_name: 'provider_name is taken' },
    });
  }

  /** The id binds the sealed credentials, so they are added once it is known. */
  add(
    caller: Caller,
    kind: Provider['kind'],
    input: ProviderInput,
    checks: ProviderChecks,
  ): Promise<JsonText<Provider>> {
    checkInput(kind, input, checks);
    const plain = { kind, ...plainColumns(input) };
    return this.db.withCompany(
      caller,
      async (tx) => {
        const id = await this.insert(tx, { ...plain, default_headers: {} });
        const sealed = this.sealed(tx.companyId, id, input, {}, checks);
        await tx.query(SET_SEALED, [
          tx.companyId,
          id,
          sealed.api_key_sealed ?? null,
          sealed.api_key_last4 ?? null,
          JSON.stringify(sealed.default_headers ?? {}),
          sealed.headers_sealed ?? null,
        ]);
        const made = await tx.read<Provider>(view, id);
        if (!made) throw notFound('provider');
        const record = JSON.parse(made.text) as Provider;
        tx.emit(emission(trafficEvents, 'model_provider.created', id, record));
        const after = { ...record, ...Object.fromEntries(writtenSecrets(input).map((name) => [name, '[secret]'])) };
        tx.audit({ action: 'create', resource_type: 'model_provider', resource_id: String(id), after });
        return made;
      },
      this.resource.uniqueViolations,
    );
  }

  edit(caller: Caller, id: number, input: ProviderInput, checks: ProviderChecks): Promise<JsonText<Provider>> {
    return this.change(caller, id, (row) => {
      requireOwn(`provider ${row.provider_name}`, row);
      checkInput(
        row.kind,
        { ...input, base_url: input.base_url === undefined ? row.base_url : input.base_url },
        checks,
      );
      const stored = { hasKey: row.api_key_sealed !== null, hasHeaders: row.headers_sealed !== null };
      requireCredentialsOfHost({ ...stored, base_url: row.base_url }, input);
      const kept = this.openHeaders(caller.companyId, id, fromJson(row.headers_sealed));
      const set = { ...plainColumns(input), ...this.sealed(caller.companyId, id, input, kept, checks) };
      return Object.keys(set).length > 0
        ? { set, events: [emits('model_provider.updated')], secrets: writtenSecrets(input) }
        : {};
    });
  }

  drop(caller: Caller, id: number) {
    const rule = (row: ProviderRow) => {
      requireOwn(`provider ${row.provider_name}`, row);
      return { events: [emits('model_provider.deleted')] };
    };
    return this.remove(caller, id, rule, (tx, row) => this.requireNoModels(tx, row));
  }

  /** The row is locked, and a new model takes a share lock on it, so no model can be added concurrently. */
  private async requireNoModels(tx: Tx, { id, provider_name }: ProviderRow): Promise<void> {
    const models = await tx.query(FIND_MODEL_OF_PROVIDER, [tx.companyId, id]);
    if (models.length > 0) throw conflict(`provider ${provider_name} still has models`);
  }

  async access(companyId: number, id: number): Promise<ProviderAccess> {
    const [row] = await this.db.select<ProviderRow>(companyId, FIND_PROVIDER, [id]);
    if (!row) throw notFound('provider');
    return this.opened(companyId, row);
  }

  /** For a row that was read by another query. */
  opened(companyId: number, row: OpenableRow): ProviderAccess {
    const { id, provider_name, kind, base_url, timeout_ms } = row;
    const apiKey = row.api_key_sealed
      ? this.seal.open({ companyId, providerId: id, field: 'api_key' }, row.api_key_sealed)
      : null;
    const headers = { ...row.default_headers, ...this.openHeaders(companyId, id, row.headers_sealed) };
    const hasSecretHeaders = row.headers_sealed !== null;
    return { id, provider_name, kind, base_url, timeout_ms, apiKey, headers, hasSecretHeaders };
  }

  private sealed(
    companyId: number,
    providerId: number,
    { api_key: key, default_headers: given }: ProviderInput,
    kept: Record<string, string>,
    checks: ProviderChecks,
  ): Partial<SealedColumns & Pick<ProviderRow, 'api_key_last4'>> {
    const columns: Partial<SealedColumns & Pick<ProviderRow, 'api_key_last4'>> = {};
    if (key !== undefined) {
      columns.api_key_sealed = key === null ? null : this.seal.seal({ companyId, providerId, field: 'api_key' }, key);
      columns.api_key_last4 = last4Of(key);
    }
    if (given !== undefined) {
      const { shown, secret } = splitHeaders(given, kept, checks);
      const place = { companyId, providerId, field: 'default_headers' } as const;
      columns.default_headers = shown;
      columns.headers_sealed = Object.keys(secret).length > 0 ? this.seal.seal(place, JSON.stringify(secret)) : null;
    }
    return columns;
  }

  private openHeaders(companyId: number, providerId: number, sealed: Buffer | null): Record<string, string> {
    if (!sealed) return {};
    return JSON.parse(this.seal.open({ companyId, providerId, field: 'default_headers' }, sealed)) as Record<
      string,
      string
    >;
  }
}

type OpenableRow = Omit<ProviderAccess, 'apiKey' | 'headers' | 'hasSecretHeaders'> & SealedColumns;
type SealedColumns = Pick<ProviderRow, 'api_key_sealed' | 'default_headers' | 'headers_sealed'>;

/** A locked row arrives as JSON, in which bytes are `\x…`. */
function fromJson(bytes: unknown): Buffer | null {
  return typeof bytes === 'string' ? Buffer.from(bytes.slice(2), 'hex') : null;
}
