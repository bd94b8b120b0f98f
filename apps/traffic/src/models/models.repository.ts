import { Injectable } from '@nestjs/common';
import {
  type Caller,
  conflict,
  type Deleted,
  emits,
  type JsonText,
  type ListedModel,
  type Model,
  notFound,
  type Page,
} from '@signalbox/contracts';
import { CompanyRepository, Database, filtersOf, type ListOptions, type Rule, type Tx } from '@signalbox/database';
import type { TokenPrices } from '@signalbox/llm';
import { type ProviderRow, requireOwn } from '../providers/index.js';
import { SHARE_ROW } from '../share-row.sql.js';
import { ModelRow } from './model.entity.js';
import { byName, FIND_CALLABLE, FIND_USE, NAME_OF, namesView, PRICES_OF, UNKNOWN_NAMES, view } from './models.sql.js';

/** What a client without pages gets in one reply, about a megabyte. */
const MOST_LISTED = 10_000;

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

/** SQL: a callable model with its provider is read in one round trip on the path of every call. */
@Injectable()
export class Models extends CompanyRepository<ModelRow, Model> {
  constructor(db: Database) {
    super(db, { entity: ModelRow, view, type: 'model', uniqueViolations: { models_name: 'model_name is taken' } });
  }

  /** By the id or, when no model has that id, by the name. */
  async find(companyId: number, idOrName: string): Promise<JsonText<Model>> {
    const id = /^\d{1,10}$/.test(idOrName) ? Number(idOrName) : 0;
    const found = id > 0 && id < 2 ** 31 ? await this.db.readOne<Model>(view, companyId, id) : null;
    const named = found ?? (await this.db.readOne<Model>(byName, companyId, idOrName));
    if (!named) throw notFound('model');
    return named;
  }

  enabled(companyId: number, input: ListOptions): Promise<JsonText<Page<ListedModel>>> {
    const filters = [...filtersOf(namesView, input), ...filtersOf(namesView, { status: 'ENABLED' })];
    return this.db.list(namesView, companyId, { ...input, filters, offset: 0, limit: MOST_LISTED });
  }

  async named(companyId: number, name: string): Promise<Model> {
    const found = await this.db.readOne<Model>(byName, companyId, name);
    if (!found) throw notFound('model');
    return JSON.parse(found.text) as Model;
  }

  async unknownNames(companyId: number, names: readonly string[]): Promise<string[]> {
    const rows = await this.db.select<{ name: string }>(companyId, UNKNOWN_NAMES, [names]);
    return rows.map(({ name }) => name);
  }

  async pricesOf(companyId: number, names: readonly string[]): Promise<Map<string, TokenPrices>> {
    if (names.length === 0) return new Map();
    const rows = await this.db.select<TokenPrices & { model_name: string }>(companyId, PRICES_OF, [names]);
    return new Map(rows.map(({ model_name, ...prices }) => [model_name, prices]));
  }

  async nameOf(companyId: number, id: number): Promise<string> {
    const [row] = await this.db.select<{ model_name: string }>(companyId, NAME_OF, [id]);
    if (!row) throw notFound('model');
    return row.model_name;
  }

  async callable(companyId: number, name: string): Promise<CallableRow | null> {
    const [row] = await this.db.select<CallableRow>(companyId, FIND_CALLABLE, [name]);
    return row ?? null;
  }

  add(caller: Caller, values: Partial<ModelRow> & { provider_id: number }): Promise<JsonText<Model>> {
    return this.create(caller, values, [emits('model.created')], (tx) => this.shareProvider(tx, values.provider_id));
  }

  /** Locks the provider against deletion until the model is committed; 404 when it does not exist. */
  private async shareProvider(tx: Tx, id: number): Promise<void> {
    const found = await tx.query(SHARE_ROW('providers'), [tx.companyId, id]);
    if (found.length === 0) throw notFound('provider');
  }

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
    const [used] = await tx.query<{ what: string; id: number }>(FIND_USE, [tx.companyId, name]);
    if (used) throw conflict(`model ${name} is used by the configuration of ${used.what} ${used.id}`);
  }
}
