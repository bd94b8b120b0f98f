import { Inject, Injectable } from '@nestjs/common';
import { ApiError, type Endpoint, missingCompany, toApiError } from '@signalbox/contracts';
import { AnonymousRateLimiter, RateLimits } from '../limits/index.js';
import { companyInPath, type RequestContext } from '../request/index.js';
import { GATEWAY_SETTINGS, type GatewaySettings } from '../settings.js';
import { ApiKeyResolver, type LookUpBudget } from './api-key-resolver.js';
import { isOwnPage } from './fetch-metadata.js';
import type { KnownKey } from './key-cache.js';
import { presentedKey } from './presented-key.js';
import { presentedSession } from './presented-session.js';
import { publicOriginOf } from './public-origin.js';

type Resolved = KnownKey | null | Promise<KnownKey | null>;

const isLive = (key: KnownKey | null): key is KnownKey =>
  key !== null && (key.expiresAt === null || key.expiresAt > Date.now());

/** A key, or null when it belongs to another company than the one in the address. */
function inCompany(company: number | null, known: Resolved): Resolved {
  if (known instanceof Promise) return known.then((found) => inCompany(company, found));
  return company === null || known?.companyId === company ? known : null;
}

/** Finds the key of a request. */
@Injectable()
export class Authenticator {
  private readonly publicOrigin: string;

  constructor(
    private readonly keys: ApiKeyResolver,
    private readonly anonymous: AnonymousRateLimiter,
    private readonly limits: RateLimits,
    @Inject(GATEWAY_SETTINGS) { PUBLIC_URL }: GatewaySettings,
  ) {
    this.publicOrigin = publicOriginOf(PUBLIC_URL);
  }

  /** Sets the key of a request; throws 401 or 429. A cached key is resolved at once. */
  identify(context: RequestContext): void | Promise<void> {
    const known = this.resolve(context, {
      charge: () => this.anonymous.admit(context),
      refund: () => this.anonymous.refund(context),
    });
    return known instanceof Promise ? known.then((found) => this.accept(context, found)) : this.accept(context, known);
  }

  /**
   * The error with which the key of an open reply would be refused now, null while it is valid. A key that cannot be
   * confirmed because accounts is unreachable counts as valid for as long as it would for a new call.
   */
  async refusalNow(context: RequestContext): Promise<ApiError | null> {
    try {
      const known = await this.resolve(context);
      if (!isLive(known)) return missingCompany();
      requireScope(known, context.endpoint?.scope ?? 'any');
      return null;
    } catch (error) {
      return toApiError(error);
    }
  }

  /** The key that a request presents, itself or through the session of a browser; null when it presents none. */
  private resolve(context: RequestContext, budget?: LookUpBudget): Resolved {
    const { raw, id } = context.request;
    const company = companyInPath(raw);
    const presented = presentedKey(raw.headers, context.takesBearer, raw.rawHeaders);
    if (presented) {
      context.bearer = presented.bearer;
      return inCompany(company, this.keys.resolve(presented.text, id, budget));
    }
    // A cookie counts only below the path of a company, and never next to a header that is no key.
    if (company === null || raw.headers['x-service-api-key'] !== undefined) return null;
    const token = presentedSession(raw.headers);
    if (token === null || !isOwnPage(raw.method ?? '', raw.headers, this.publicOrigin)) return null;
    return inCompany(company, this.keys.resolveSession(token, id, budget));
  }

  /** Sets a live key; throws 401 without one, and charges the call to the client address. */
  private accept(context: RequestContext, known: KnownKey | null): void {
    if (isLive(known)) {
      context.key = known;
      return;
    }
    this.limits.chargeAddress(context);
    throw missingCompany();
  }
}

/** Throws 403 for a key without the scope. */
export function requireScope(key: Pick<KnownKey, 'scopes'> | null, scope: Endpoint['scope']): void {
  if (scope === 'any' || scope === 'none') return;
  if (!key?.scopes.includes(scope)) throw new ApiError('missing_scope', `missing scope: ${scope}`);
}
