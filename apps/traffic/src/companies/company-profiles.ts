import { Inject, Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { type Caller, type CompanyProfile, identities } from '@signalbox/contracts';
import { AllowList } from '@signalbox/egress';
import { StaleWhileRevalidateCache } from './stale-while-revalidate.js';

/** Nest token of the operator's list of permitted private addresses. */
export const EGRESS_ALLOW = Symbol('egress allow');

/** Settings and egress rules of companies, cached from the accounts service. */
@Injectable()
export class CompanyProfiles {
  private readonly profiles = new StaleWhileRevalidateCache<CompanyProfile>();

  constructor(
    private readonly bus: BusClient,
    @Inject(EGRESS_ALLOW) private readonly operatorAllows: string[],
  ) {}

  of(caller: Caller): Promise<CompanyProfile> {
    const { companyId } = caller;
    return this.profiles.get(companyId, '', () => {
      return this.bus.call(identities.endpoints.getCompanyProfile, { company_id: companyId }, caller);
    });
  }

  /** The private targets that the operator permits for the company. */
  async allowed(caller: Caller): Promise<AllowList> {
    const { egress_allow } = await this.of(caller);
    return new AllowList([...this.operatorAllows, ...egress_allow]);
  }
}
