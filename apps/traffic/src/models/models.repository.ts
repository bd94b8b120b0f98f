import { Injectable } from '@nestjs/common';
import { type Caller, conflict, type Deleted, type JsonText, type Model, notFound, emits } from '@signalbox/contracts';
import { CompanyRepository, Database, type Rule, type Tx, type View } from '@signalbox/database';
import type { TokenPrices } from '@signalbox/llm';
import { type ProviderRow, requireOwn } from '../providers/index.js';
import { ModelRow } from './model.entity.js';

const view: View = {
  resource: 'model',
  table: 'traffic.models',
  columns: [
    'id',
    'model_name',
    'display_name',
    'provider_id',
    'provider_model',
    'model_type',
    'base_model',
    'finetune_run_id',
    'intent_group_id',
    'context_window',
    'input_price_per_mtok',
    'output_price_per_mtok',
    'supports_tools',
    'supports_json_schema',
    'trainable',
    'status',
    'built_in',
    'date_created',
    'date_updated',
  ],
  computed: {
    provider_name:
      '(SELECT p.provider_name FROM traffic.providers p WHERE p.company_id = t.company_id AND p.id = t.provider_id)',
    company_owned: 'NOT t.built_in',
  },
  search: ['t.model_name', 't.display_name'],
  sort: { model_name: 't.model_name', display_name: 't.display_name' },
};

const byName: View = { ...view, key: 'model_name', keyType: 'text' };

/** True for a model that can be called now: it and its provider are enabled and the provider has its credentials. */
export const CALLABLE = {
  sql: `t.status = 'ENABLED' AND EXISTS (SELECT 1 FROM traffic.providers p WHERE p.company_id = t.company_id
    AND p.id = t.provider_id AND p.status = 'ENABLED'
    AND (p.kind = 'simulated' OR p.api_key_sealed IS NOT NULL OR p.headers_sealed IS NOT NULL))`,
  value: undefined,
};

type CallableRow = Pick<
  ModelRow,
  | 'model_name'
  | 'provider_model'
  | 'context_window'
  | 'input_price_per_mtok'
  | 'output_price_per_mtok'
  | 'supports_json_schema'
> &
  Pick<
    ProviderRow,
    | 'id'
    | 'provider_name'
    | 'kind'
    | 'base_url'
    | 'timeout_ms'
    | 'api_key_sealed'
    | 'default_headers'
    | 'headers_sealed'
  >;

/** The resources with configurations, and their tables. */
const CONFIGURED = [
  ['application', 'applications'],
  ['intent group', 'intent_groups'],
  ['intent', 'intents'],
] as const;

/**
 * Rows of models.
 *
 * SQL: a callable model with its provider is read in one round trip on the path of every call.
 */
@Injectable()
export class Models extends CompanyRepository<ModelRow, Model> {
  constructor(db: Database) {
    super(db, { entity: ModelRow, view, type: 'model', taken: { models_name: 'model_name is taken' } });
  }

  /** A model by its id or, when no model has that id, by its name. */
  async find(companyId: number, idOrName: string): Promise<JsonText<Model>> {
    const id = /^\d{1,10}$/.test(idOrName) ? Number(idOrName) : 0;
    const found = id > 0 && id < 2 ** 31 ? await this.db.readOne<Model>(view, companyId, id) : null;
    const named = found ?? (await this.db.readOne<Model>(byName, companyId, idOrName));
    if (!named) throw notFound('model');
    return named;
  }

  /** A model by its name; 404 when the company has none. */
  async named(companyId: number, name: string): Promise<Model> {
    const found = await this.db.readOne<Model>(byName, companyId, name);
    if (!found) throw notFound('model');
    return JSON.parse(found.text) as Model;
  }

  /** The names that no model of the company has. */
  async unknownNames(companyId: number, names: readonly string[]): Promise<string[]> {
    const rows = await this.db.select<{ name: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT n.name FROM unnest($2::text[]) n(name) WHERE NOT EXISTS (
         SELECT 1 FROM traffic.models t
         WHERE t.company_id = s.company AND t.model_name = n.name AND t.deleted_at IS NULL) OFFSET 0) x`,
      [names],
    );
    return rows.map(({ name }) => name);
  }

  /** The prices of the models of these names; a name without a model has none. */
  async pricesOf(companyId: number, names: readonly string[]): Promise<Map<string, TokenPrices>> {
    if (names.length === 0) return new Map();
    const rows = await this.db.select<TokenPrices & { model_name: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.model_name, t.input_price_per_mtok, t.output_price_per_mtok
         FROM traffic.models t WHERE t.company_id = s.company AND t.model_name = ANY ($2::text[])
           AND t.deleted_at IS NULL OFFSET 0) x`,
      [names],
    );
    return new Map(rows.map(({ model_name, ...prices }) => [model_name, prices]));
  }

  /** The name under which requests of a model are recorded. */
  async nameOf(companyId: number, id: number): Promise<string> {
    const [row] = await this.db.select<{ model_name: string }>(
      companyId,
      `SELECT m.* FROM s, LATERAL (SELECT t.model_name FROM traffic.models t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) m`,
      [id],
    );
    if (!row) throw notFound('model');
    return row.model_name;
  }

  /** An enabled model with the columns of its enabled provider; null when there is none. */
  async callable(companyId: number, name: string): Promise<CallableRow | null> {
    const [row] = await this.db.select<CallableRow>(
      companyId,
      `SELECT c.* FROM s, LATERAL (
         SELECT t.model_name, t.provider_model, t.context_window, t.input_price_per_mtok, t.output_price_per_mtok,
           t.supports_json_schema, p.id, p.provider_name, p.kind, p.base_url, p.timeout_ms, p.api_key_sealed, p.default_headers, p.headers_sealed
         FROM traffic.models t JOIN traffic.providers p ON p.company_id = t.company_id AND p.id = t.provider_id
         WHERE t.company_id = s.company AND t.model_name = $2 AND t.deleted_at IS NULL
           AND t.status = 'ENABLED' AND p.status = 'ENABLED' OFFSET 0) c`,
      [name],
    );
    return row ?? null;
  }

  add(caller: Caller, values: Partial<ModelRow> & { provider_id: number }): Promise<JsonText<Model>> {
    return this.create(caller, values, [emits('model.created')], (tx) => this.shareProvider(tx, values.provider_id));
  }

  /** Locks the provider against deletion until the model is committed; 404 when it does not exist. */
  private async shareProvider(tx: Tx, id: number): Promise<void> {
    const found = await tx.query(
      'SELECT 1 FROM traffic.providers WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
      [tx.companyId, id],
    );
    if (found.length === 0) throw notFound('provider');
  }

  /** Changes a model that is not built in. */
  edit(caller: Caller, id: number, rule: Rule<ModelRow>): Promise<JsonText<Model>> {
    return this.change(caller, id, (row) => {
      requireOwn(`model ${row.model_name}`, row);
      return rule(row);
    });
  }

  drop(caller: Caller, id: number): Promise<Deleted> {
    return this.remove(
      caller,
      id,
      (row) => {
        requireOwn(`model ${row.model_name}`, row);
        return { events: [emits('model.deleted')] };
      },
      (tx, row) => this.requireUnconfigured(tx, row.model_name),
    );
  }

  /** Configurations take a share lock on their models, so no new reference can commit after this check. */
  private async requireUnconfigured(tx: Tx, name: string): Promise<void> {
    const [used] = await tx.query<{ what: string; id: number }>(
      [
        ...CONFIGURED.map(
          ([what, table]) => `SELECT '${what}' AS what, t.id FROM traffic.${table} t WHERE t.company_id = $1
            AND t.deleted_at IS NULL AND $2 IN (t.config->>'model', t.config #>> '{fallback_config,model}')`,
        ),
        `SELECT 'sentinel', t.id FROM traffic.sentinels t WHERE t.company_id = $1 AND t.deleted_at IS NULL AND t.meta->>'model' = $2`,
      ].join(' UNION ALL ') + ' LIMIT 1',
      [tx.companyId, name],
    );
    if (used) throw conflict(`model ${name} is used by the configuration of ${used.what} ${used.id}`);
  }
}
