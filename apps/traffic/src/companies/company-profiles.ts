import { Inject, Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { type Caller, type CompanyProfile, identities } from '@signalbox/contracts';
import { AllowList } from '@signalbox/egress';
import { StaleWhileRevalidateCache } from './stale-while-revalidate.js';

/** Nest token of the operator's own list of private addresses. */
export const EGRESS_ALLOW = Symbol('egress allow');

/** Settings and egress rules of companies, as the accounts service tells them. */
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

  /** The targets that the operator allows the company beyond the public web. */
  async allowed(caller: Caller): Promise<AllowList> {
    const { egress_allow } = await this.of(caller);
    return new AllowList([...this.operatorAllows, ...egress_allow]);
  }
}
