import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { ApiError, type Caller, type CompanyProfile, identities } from '@signalbox/contracts';
import { StaleWhileRevalidateCache } from '@signalbox/platform';

/**
 * Wait of background work for an uncached profile: half of the usual time limit of a script, whose run is repeated when
 * the platform is down, and ends when its own time is up.
 */
const CALL_MS = 15_000;

/** Cached for five seconds from the accounts service. */
@Injectable()
export class CompanyProfiles {
  private readonly profiles = new StaleWhileRevalidateCache<CompanyProfile>();

  constructor(private readonly bus: BusClient) {}

  of(caller: Caller): Promise<CompanyProfile> {
    const { companyId } = caller;
    return this.profiles.get(companyId, '', () =>
      this.bus.call(identities.endpoints.getCompanyProfile, { company_id: companyId }, caller),
    );
  }

  /** Not from the cache, for a write right after a change of the profile. */
  current(caller: Caller): Promise<CompanyProfile> {
    this.profiles.forget(caller.companyId);
    return this.of(caller);
  }

  ofCompany(companyId: number): Promise<CompanyProfile> {
    return this.of(serviceCaller(companyId, Date.now() + CALL_MS)).catch(unavailable);
  }
}

/** Not a failure of the work itself. */
function unavailable(error: unknown): never {
  const late = error instanceof ApiError && error.kind === 'timeout';
  throw late ? new ApiError('unavailable', 'the accounts service did not answer in time', { retryAfter: 1 }) : error;
}
