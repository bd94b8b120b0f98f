import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { ApiError, identities } from '@signalbox/contracts';

const FRESH_MS = 5000;
const MAX_KEPT = 5000;
const CALL_MS = 5000;

interface Known {
  allow: Promise<string[]>;
  until: number;
}

/** The private targets that a company may call; a change takes effect within five seconds. */
@Injectable()
export class CompanyEgress {
  private readonly known = new Map<number, Known>();

  constructor(private readonly bus: BusClient) {}

  allowOf(companyId: number): Promise<string[]> {
    const now = Date.now();
    const known = this.known.get(companyId);
    if (known && known.until > now) return known.allow;
    if (this.known.size > MAX_KEPT) this.known.clear();
    const allow = this.ask(companyId, now);
    this.known.set(companyId, { allow, until: now + FRESH_MS });
    // A failed lookup is not cached.
    allow.catch(() => this.known.delete(companyId));
    return allow;
  }

  private async ask(companyId: number, now: number): Promise<string[]> {
    const caller = serviceCaller(companyId, now + CALL_MS);
    const profile = await this.bus
      .call(identities.endpoints.getCompanyProfile, { company_id: companyId }, caller)
      .catch(rethrow);
    return profile.egress_allow;
  }
}

/** A lookup that times out means that accounts is down, not that the target is slow. */
function rethrow(error: unknown): never {
  const late = error instanceof ApiError && error.kind === 'timeout';
  throw late ? new ApiError('unavailable', 'the accounts service is down', { retryAfter: 1 }) : error;
}
