import { Inject, Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { ApiError, type Caller, missingCompany, type PortalLogin, portalLogins } from '@signalbox/contracts';
import { isOwnPage, presentedSession, publicOriginOf, SESSION_COOKIE } from '../keys/index.js';
import { AnonymousRateLimiter } from '../limits/index.js';
import type { RequestContext } from '../request/index.js';
import { GATEWAY_SETTINGS, type GatewaySettings } from '../settings.js';

const TIMEOUT_MS = 5000;
const WEEK_SECONDS = 7 * 24 * 3600;
const USER_AGENT_LENGTH = 200;

export interface SignedIn {
  login: PortalLogin;
  cookie: string;
}

const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'not_found' || error.kind === 'invalid');

/** A key or ticket is exchanged for a session and not stored; the browser keeps a cookie. */
@Injectable()
export class PortalSignIn {
  private readonly publicOrigin: string;

  constructor(
    private readonly bus: BusClient,
    private readonly anonymous: AnonymousRateLimiter,
    @Inject(GATEWAY_SETTINGS) { PUBLIC_URL }: GatewaySettings,
  ) {
    this.publicOrigin = publicOriginOf(PUBLIC_URL);
  }

  /** Throws 401 for an invalid key or ticket, and for a request from another site. */
  async open(context: RequestContext, given: { key?: string; ticket?: string }): Promise<SignedIn> {
    const { headers, method } = context.request.raw;
    if (!isOwnPage(method ?? 'POST', headers, this.publicOrigin)) throw missingCompany();
    const user_agent = (headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH);
    const input = { ...given, user_agent };
    try {
      const { token, ...login } = await this.bus.call(portalLogins.endpoints.openSession, input, callerOf(context));
      return { login, cookie: this.cookie(login.company_id, token, WEEK_SECONDS) };
    } catch (error) {
      throw isRefused(error) ? missingCompany() : error;
    }
  }

  /** Null without a session in the company. Throws 429: the address is charged for a cookie that names no session. */
  async describe(context: RequestContext, companyId: number): Promise<PortalLogin | null> {
    const token = this.tokenOf(context);
    if (token === null) return null;
    this.anonymous.admit(context);
    try {
      const login = await this.bus.call(portalLogins.endpoints.describeSession, { token }, callerOf(context));
      this.anonymous.refund(context);
      return login.company_id === companyId ? login : null;
    } catch (error) {
      if (isRefused(error)) return null;
      throw error;
    }
  }

  /** Returns the cookie that removes the session. Throws 401 without a session in the company. */
  async close(context: RequestContext, companyId: number): Promise<string> {
    const token = this.tokenOf(context);
    if (token === null || (await this.describe(context, companyId)) === null) throw missingCompany();
    await this.bus.call(portalLogins.endpoints.closeSession, { token }, callerOf(context));
    return this.cookie(companyId, '', 0);
  }

  private tokenOf({ request: { raw } }: RequestContext): string | null {
    return isOwnPage(raw.method ?? '', raw.headers, this.publicOrigin) ? presentedSession(raw.headers) : null;
  }

  private cookie(companyId: number, token: string, seconds: number): string {
    const secure = this.publicOrigin.startsWith('https:') ? '; Secure' : '';
    return `${SESSION_COOKIE}=${token}; Path=/c/${companyId}/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
  }
}

const callerOf = ({ request }: RequestContext): Caller => ({
  companyId: 0,
  keyId: null,
  scopes: [],
  requestId: request.id,
  deadline: Date.now() + TIMEOUT_MS,
});
