import { Serves } from '@signalbox/bus';
import { type CallTo, companies, type Handlers } from '@signalbox/contracts';
import { Companies } from './companies.repository.js';
import { updateCompany } from './company.js';

type C = typeof companies;

/** The caller's own company. */
@Serves(companies)
export class CompanyHandlers implements Handlers<C> {
  constructor(private readonly companies: Companies) {}

  getCompany({ caller }: CallTo<C, 'getCompany'>) {
    return this.companies.get(caller.companyId, caller.companyId);
  }

  updateCompany({ input, caller }: CallTo<C, 'updateCompany'>) {
    return this.companies.change(caller, caller.companyId, (row) => updateCompany(row, input));
  }
}
