import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { ApiError, type Caller, type CompanyProfile, identities } from '@signalbox/contracts';
import { StaleWhileRevalidateCache } from '@signalbox/platform';

/**
 * How long work without a client waits for a profile that is not cached: half of the usual time limit of a script, whose
 * run starts again when the platform is away, and ends when its own time is up.
 */
const CALL_MS = 15_000;

/** Settings and egress rules of companies, cached from the accounts service; a change takes effect within five seconds. */
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

  /** The profile as it is now, for a write that a client sends right after a change of it. */
  current(caller: Caller): Promise<CompanyProfile> {
    this.profiles.forget(caller.companyId);
    return this.of(caller);
  }

  /** The profile of a company for work that no client waits for. */
  ofCompany(companyId: number): Promise<CompanyProfile> {
    return this.of(serviceCaller(companyId, Date.now() + CALL_MS)).catch(unavailable);
  }
}

/** A look-up that is not answered is no failure of the work. */
function unavailable(error: unknown): never {
  const late = error instanceof ApiError && error.kind === 'timeout';
  throw late ? new ApiError('unavailable', 'the accounts service did not answer in time', { retryAfter: 1 }) : error;
}
