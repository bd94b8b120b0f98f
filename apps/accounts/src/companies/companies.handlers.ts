import { BusClient, Serves } from '@signalbox/bus';
import { type Caller, type CallTo, companies, type Handlers, notFound, trafficLinks } from '@signalbox/contracts';
import { Companies } from './companies.repository.js';
import { modelsOfSettings, updateCompany } from './company.js';

type C = typeof companies;

@Serves(companies)
export class CompanyHandlers implements Handlers<C> {
  constructor(
    private readonly companies: Companies,
    private readonly bus: BusClient,
  ) {}

  getCompany({ caller }: CallTo<C, 'getCompany'>) {
    return this.companies.get(caller.companyId, caller.companyId);
  }

  async updateCompany({ input, caller }: CallTo<C, 'updateCompany'>) {
    await this.requireModels(modelsOfSettings(input), caller);
    return this.companies.change(caller, caller.companyId, (row) => updateCompany(row, input));
  }

  /** Throws 404 that names each setting whose model does not exist. */
  private async requireModels(named: Record<string, string>, caller: Caller): Promise<void> {
    const model_names = [...new Set(Object.values(named))];
    if (model_names.length === 0) return;
    const unknown = await this.bus.call(trafficLinks.endpoints.findUnknownModels, { model_names }, caller);
    const details = Object.entries(named)
      .filter(([, model]) => unknown.model_names.includes(model))
      .map(([field, model]) => ({ field, message: `names model ${model}, which does not exist` }));
    if (details.length > 0) throw notFound('model', { details });
  }
}
