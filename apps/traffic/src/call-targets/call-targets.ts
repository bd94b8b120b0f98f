import { Injectable } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import { type Caller, notFound, nullIfNotFound } from '@signalbox/contracts';
import type { TokenPrices } from '@signalbox/llm';
import { StaleWhileRevalidateCache } from '@signalbox/platform';
import { Applications, type CalledApplication, requireEnabled } from '../applications/index.js';
import { CallTargetChanges } from '../call-target-changes/index.js';
import { BuiltIns, type ProviderAccess, Providers } from '../providers/index.js';
import { Models } from '../models/index.js';

export interface CallTarget {
  model: string;
  providerModel: string;
  /** In tokens; null when unknown. */
  contextWindow: number | null;
  prices: TokenPrices;
  supportsJsonSchema: boolean;
  access: ProviderAccess;
}

/** Resolves models and applications of calls with a cache, which a change invalidates in all processes of the service. */
@Injectable()
export class CallTargets {
  private readonly models = new StaleWhileRevalidateCache<CallTarget>();
  private readonly called = new StaleWhileRevalidateCache<CalledApplication>();

  constructor(
    private readonly modelRows: Models,
    private readonly providers: Providers,
    private readonly applications: Applications,
    private readonly builtIns: BuiltIns,
    private readonly profiles: CompanyProfiles,
    changes: CallTargetChanges,
  ) {
    changes.onChange((companyId) => this.forget(companyId));
  }

  /** Without a name, the default model of the company. */
  async model(caller: Caller, given: string | null | undefined): Promise<CallTarget> {
    const name = given ?? (await this.defaultModel(caller));
    return this.models.get(caller.companyId, name, () => this.read(caller.companyId, name));
  }

  async defaultModel(caller: Caller): Promise<string> {
    return (await this.profiles.of(caller)).settings.default_model;
  }

  async uncallable(caller: Caller, names: readonly string[]): Promise<string[]> {
    const found = await Promise.all(names.map((name) => this.model(caller, name).catch(nullIfNotFound)));
    return names.filter((_, at) => !found[at]);
  }

  /** 404 for an unknown application, 409 for a disabled one. */
  async application(caller: Caller, id: number): Promise<CalledApplication> {
    const read = () => this.applications.called(caller.companyId, id);
    const application = await this.called.get(caller.companyId, String(id), read);
    requireEnabled(id, application.state);
    return application;
  }

  private forget(companyId: number): void {
    this.models.forget(companyId);
    this.called.forget(companyId);
  }

  private async read(companyId: number, name: string): Promise<CallTarget> {
    await this.builtIns.ensure(companyId);
    const row = await this.modelRows.callable(companyId, name);
    if (!row) throw notFound(`model ${name}`, { code: 'model_not_found' });
    const { model_name, provider_model, context_window, input_price_per_mtok, output_price_per_mtok } = row;
    return {
      supportsJsonSchema: row.supports_json_schema,
      model: model_name,
      providerModel: provider_model,
      contextWindow: context_window,
      prices: { input_price_per_mtok, output_price_per_mtok },
      access: this.providers.opened(companyId, row),
    };
  }
}
