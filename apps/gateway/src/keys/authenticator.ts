import { Inject, Injectable } from '@nestjs/common';
import { ApiError, type Endpoint, toApiError } from '@signalbox/contracts';
import { AnonymousRateLimiter } from '../limits/anonymous-rate-limiter.js';
import { ClientAddresses } from '../limits/client-address.js';
import type { RateLimit } from '../limits/key-limits.js';
import type { TokenBuckets } from '../limits/token-bucket.js';
import type { Exchange } from '../replies/exchange.js';
import { companyInPath } from '../portal/company-path.js';
import { isOwnPage } from './fetch-metadata.js';
import type { KnownKey } from './key-cache.js';
import { ApiKeyResolver, type LookUpBudget } from './api-key-resolver.js';
import { presentedKey } from './presented-key.js';
import { presentedSession } from './presented-session.js';

/** Nest token of the rate limit, null when it is off. */
export const RATE_LIMIT = Symbol('rate limit');
/** Nest token of the origin of the platform's public address. */
export const PUBLIC_ORIGIN = Symbol('public origin');

type Resolved = KnownKey | null | Promise<KnownKey | null>;

const isLive = (key: KnownKey | null): key is KnownKey =>
  key !== null && (key.expiresAt === null || key.expiresAt > Date.now());

/** A key, or null when it belongs to another company than the one in the address. */
function inCompany(company: number | null, known: Resolved): Resolved {
  if (known instanceof Promise) return known.then((found) => inCompany(company, found));
  return company === null || known?.companyId === company ? known : null;
}

const noCompany = (): ApiError => new ApiError('missing_company', 'company_id is missing');

/** Authenticates requests and applies rate limit and scopes. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly keys: ApiKeyResolver,
    private readonly addresses: ClientAddresses,
    private readonly anonymous: AnonymousRateLimiter,
    @Inject(RATE_LIMIT) private readonly limit: RateLimit | null,
    @Inject(PUBLIC_ORIGIN) private readonly publicOrigin: string,
  ) {}

  /** Throws 401 or 429; a cached key is resolved at once. */
  identify(exchange: Exchange, bearer: boolean): void | Promise<void> {
    const known = this.resolve(exchange, bearer, {
      charge: () => this.anonymous.admit(exchange),
      refund: () => this.anonymous.refund(exchange),
    });
    return known instanceof Promise ? known.then((found) => this.enter(exchange, found)) : this.enter(exchange, known);
  }

  /** Throws 403. */
  authorise(key: KnownKey | null, scope: Endpoint['scope']): void {
    if (scope === 'any' || scope === 'none') return;
    if (!key?.scopes.includes(scope)) throw new ApiError('missing_scope', `missing scope: ${scope}`);
  }

  /**
   * The error with which the key of an open reply would be refused now, null while it is valid. A key that cannot be
   * confirmed because accounts is away counts as valid for as long as it would for a new call.
   */
  async refusalNow(exchange: Exchange): Promise<ApiError | null> {
    try {
      const known = await this.resolve(exchange, exchange.endpoint?.bearer === true);
      if (!isLive(known)) return noCompany();
      this.authorise(known, exchange.endpoint?.scope ?? 'any');
      return null;
    } catch (error) {
      return toApiError(error);
    }
  }

  /** The key that a request presents, itself or through the session of a browser; null when it presents none. */
  private resolve(exchange: Exchange, bearer: boolean, budget?: LookUpBudget): Resolved {
    const { raw, id } = exchange.request;
    const company = companyInPath(raw);
    const presented = presentedKey(raw.headers, bearer, raw.rawHeaders);
    if (presented) {
      exchange.bearer = presented.bearer;
      return inCompany(company, this.keys.resolve(presented.text, id, budget));
    }
    // A cookie counts only below the path of a company, and never next to a header that is no key.
    if (company === null || raw.headers['x-service-api-key'] !== undefined) return null;
    const token = presentedSession(raw.headers);
    if (token === null || !isOwnPage(raw.method ?? '', raw.headers, this.publicOrigin)) return null;
    return inCompany(company, this.keys.resolveSession(token, id, budget));
  }

  private enter(exchange: Exchange, known: KnownKey | null): void {
    if (!isLive(known)) return this.refuse(exchange);
    exchange.key = known;
    if (this.limit) this.charge(exchange, this.limit.keys, String(known.keyId));
  }

  /** Calls without a valid key are charged to the client address. */
  private refuse(exchange: Exchange): never {
    if (this.limit) this.charge(exchange, this.limit.addresses, this.addresses.of(exchange.request.raw));
    throw noCompany();
  }

  private charge(exchange: Exchange, buckets: TokenBuckets, name: string): void {
    const quota = buckets.take(name, Date.now());
    exchange.quota = quota;
    if (!quota.allowed)
      throw new ApiError('rate_limited', 'too many requests', { retryAfter: Math.max(1, quota.reset) });
  }
}
