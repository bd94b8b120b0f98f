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

/** Null for a key of another company than the one in the path. */
function inCompany(company: number | null, known: Resolved): Resolved {
  if (known instanceof Promise) return known.then((found) => inCompany(company, found));
  return company === null || known?.companyId === company ? known : null;
}

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

  /** Throws 401 or 429. Synchronous for a cached key. */
  identify(context: RequestContext): void | Promise<void> {
    const known = this.resolve(context, {
      charge: () => this.anonymous.admit(context),
      refund: () => this.anonymous.refund(context),
    });
    return known instanceof Promise ? known.then((found) => this.accept(context, found)) : this.accept(context, known);
  }

  /**
   * The error with which the key of an open stream would be refused now, null while it is valid. While accounts is
   * unreachable, a cached key counts as valid for as long as it would for a new call.
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

  private resolve(context: RequestContext, budget?: LookUpBudget): Resolved {
    const { raw, id } = context.request;
    const company = companyInPath(raw);
    const presented = presentedKey(raw.headers, context.takesBearer, raw.rawHeaders);
    if (presented) {
      context.bearer = presented.bearer;
      return inCompany(company, this.keys.resolve(presented.text, id, budget));
    }
    // A cookie counts only below the path of a company, and never beside an invalid key header.
    if (company === null || raw.headers['x-service-api-key'] !== undefined) return null;
    const token = presentedSession(raw.headers);
    if (token === null || !isOwnPage(raw.method ?? '', raw.headers, this.publicOrigin)) return null;
    // A call that has its key already is an open stream.
    const { key } = context;
    const session = key ? this.keys.watchSession(token, key.keyId, id) : this.keys.resolveSession(token, id, budget);
    return inCompany(company, session);
  }

  /** Throws 401; a call without a live key is charged to its address. */
  private accept(context: RequestContext, known: KnownKey | null): void {
    if (isLive(known)) {
      context.key = known;
      return;
    }
    this.limits.chargeAddress(context);
    throw missingCompany();
  }
}

export function requireScope(key: Pick<KnownKey, 'scopes'> | null, scope: Endpoint['scope']): void {
  if (scope === 'any' || scope === 'none') return;
  if (!key?.scopes.includes(scope)) throw new ApiError('missing_scope', `missing scope: ${scope}`);
}
