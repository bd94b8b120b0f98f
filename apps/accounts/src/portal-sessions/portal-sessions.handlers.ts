import { BusConnection, Every, Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, invalidField, notFound, portalLogins, portalSessions } from '@signalbox/contracts';
import { keyIdOf } from '@signalbox/platform';
import { ApiKeys } from '../api-keys/index.js';
import { PortalSessions } from './portal-sessions.repository.js';

const HOUR_MS = 3_600_000;

@Serves(portalSessions)
export class PortalSessionHandlers implements Handlers<typeof portalSessions> {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly bus: BusConnection,
  ) {}

  listPortalSessions({ input, caller }: CallTo<typeof portalSessions, 'listPortalSessions'>) {
    return this.sessions.list(caller.companyId, input);
  }

  async endPortalSession({ input, caller }: CallTo<typeof portalSessions, 'endPortalSession'>) {
    const id = input.portal_session_id;
    const keyId = await this.sessions.end(caller, id);
    this.bus.announce('broadcast.keys', String(keyId));
    return { id, deleted: true as const };
  }
}

type C = typeof portalLogins;

/** For the gateway. */
@Serves(portalLogins)
export class PortalLoginHandlers implements Handlers<C> {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly keys: ApiKeys,
    private readonly bus: BusConnection,
  ) {}

  async openSession({ input: { key, ticket, user_agent }, caller }: CallTo<C, 'openSession'>) {
    if ((key === undefined) === (ticket === undefined)) throw invalidField('key', 'or ticket is required, not both');
    if (ticket !== undefined) return this.sessions.redeem(caller, ticket, user_agent);
    const keyId = keyIdOf(key ?? '');
    if (keyId === null) throw notFound('key');
    return this.sessions.open(caller, await this.keys.resolve(keyId, key ?? ''), user_agent);
  }

  describeSession({ input }: CallTo<C, 'describeSession'>) {
    return this.sessions.describe(input.token);
  }

  resolveSession({ input }: CallTo<C, 'resolveSession'>) {
    return this.sessions.resolve(input.token);
  }

  async closeSession({ input, caller }: CallTo<C, 'closeSession'>) {
    const keyId = await this.sessions.close(caller, input.token);
    if (keyId !== null) this.bus.announce('broadcast.keys', String(keyId));
    return { closed: keyId !== null };
  }

  @Every(HOUR_MS, 'sessions that have ended could not be deleted')
  deleteExpired(stop: AbortSignal): Promise<void> {
    return this.sessions.deleteExpired(stop);
  }
}
