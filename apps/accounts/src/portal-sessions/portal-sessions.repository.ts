import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type Identity,
  notFound,
  type PortalLogin,
  type PortalSession,
  type Scope,
} from '@signalbox/contracts';
import { CompanyRepository, Database, requireFewer, type Tx } from '@signalbox/database';
import { Pepper } from '../api-keys/index.js';
import { PortalSessionRow } from './portal-session.entity.js';
import {
  OLDEST_ADMIN_KEY,
  COUNT_LIVE_SESSIONS,
  REDEEM_TICKET,
  NOTE_USE,
  FIND_SESSION_TO_CLOSE,
  DELETE_SESSION,
  DELETE_EXPIRED,
  SLICE,
  FIND_LIVE_SESSION,
  OPENED_SESSION,
  view,
  IDLE_MS,
} from './portal-sessions.sql.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SESSION_MS = 7 * 24 * HOUR_MS;
const TICKET_MS = 5 * MINUTE_MS;
/** Of a key: whoever has it could open any number. */
const MAX_SESSIONS = 1000;

interface LiveSession {
  id: number;
  company_id: number;
  company_name: string;
  key_id: number;
  key_name: string;
  scopes: Scope[];
  expires_at: number;
  key_expires_at: number | null;
  last_seen_at: number;
}

type Opened = PortalLogin & { token: string };

/**
 * A session has the scopes that its key has now, and ends with it. SQL: a session is found before its company is known,
 * by the worker role.
 */
@Injectable()
export class PortalSessions extends CompanyRepository<PortalSessionRow, PortalSession> {
  constructor(
    db: Database,
    private readonly pepper: Pepper,
  ) {
    super(db, { entity: PortalSessionRow, view, type: 'portal_session' });
  }

  /** The key must have been checked. 409 at its maximum number of sessions; concurrent calls may exceed it. */
  open(caller: Caller, { company_id, key_id }: Identity, userAgent: string): Promise<Opened> {
    return this.db.withCompany({ ...caller, companyId: company_id, keyId: key_id }, async (tx) => {
      const message = `a key has at most ${MAX_SESSIONS} sessions of the portal`;
      await requireFewer(tx, MAX_SESSIONS, { sql: COUNT_LIVE_SESSIONS, values: [key_id, Date.now()], message });
      const token = await this.add(tx, { keyId: key_id, userAgent, lastsMs: SESSION_MS, isTicket: false });
      return { ...loginOf(await this.live(tx, token)), token };
    });
  }

  /** For the oldest live admin key; 404 without one. */
  makeTicket(companyId: number): Promise<{ ticket: string; expires_at: number }> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const [key] = await tx.query<{ id: number }>(OLDEST_ADMIN_KEY, [companyId, Date.now()]);
      if (!key) throw notFound('admin key');
      const ticket = await this.add(tx, { keyId: key.id, userAgent: '', lastsMs: TICKET_MS, isTicket: true });
      return { ticket, expires_at: Date.now() + TICKET_MS };
    });
  }

  /** Opens a session with a ticket, once; 404 when it is unknown, used or expired. */
  async redeem(caller: Caller, ticket: string, userAgent: string): Promise<Opened> {
    const [used] = await this.db.asWorker<{ company_id: number; api_key_id: number }>(REDEEM_TICKET, [
      this.pepper.hashes(ticket),
      Date.now(),
    ]);
    if (!used) throw notFound('ticket');
    const identity = { company_id: used.company_id, key_id: used.api_key_id, scopes: [], expires_at: null };
    return this.open(caller, identity, userAgent);
  }

  /** Throws 404 when the session or its key is not live. */
  async resolve(token: string): Promise<Identity> {
    const session = await this.find(token);
    const now = Date.now();
    const { company_id, key_id, scopes } = session;
    if (session.last_seen_at < now - MINUTE_MS) await this.db.asWorker(NOTE_USE, [session.id, now, company_id]);
    return { company_id, key_id, scopes, expires_at: endOf(session) };
  }

  async describe(token: string): Promise<PortalLogin> {
    return loginOf(await this.find(token));
  }

  /** Returns the id of the key, null without such a session. */
  async close(caller: Caller, token: string): Promise<number | null> {
    const [closed] = await this.db.asWorker<{ company_id: number; id: number; api_key_id: number }>(
      FIND_SESSION_TO_CLOSE,
      [this.pepper.hashes(token)],
    );
    if (!closed) return null;
    await this.end({ ...caller, companyId: closed.company_id, keyId: closed.api_key_id }, closed.id);
    return closed.api_key_id;
  }

  /** Returns the id of the key. */
  end(caller: Caller, id: number): Promise<number> {
    return this.db.withCompany(caller, async (tx) => {
      const { row } = await this.lock(tx, id);
      await tx.query(DELETE_SESSION, [tx.companyId, id]);
      tx.audit({ action: 'delete', resource_type: 'portal_session', resource_id: String(id) });
      return row.api_key_id;
    });
  }

  async deleteExpired(stop: AbortSignal): Promise<void> {
    const now = Date.now();
    for (let deleted = SLICE; deleted === SLICE && !stop.aborted;)
      deleted = (await this.db.asWorker(DELETE_EXPIRED, [now, now - IDLE_MS])).length;
  }

  private async add(
    tx: Tx,
    { keyId, userAgent, lastsMs, isTicket }: { keyId: number; userAgent: string; lastsMs: number; isTicket: boolean },
  ): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const now = Date.now();
    const id = await this.insert(tx, {
      api_key_id: keyId,
      token_hash: this.pepper.hash(token),
      is_ticket: isTicket,
      last_seen_at: now,
      expires_at: now + lastsMs,
      user_agent: userAgent,
    });
    const after = { key_id: keyId, user_agent: userAgent };
    if (!isTicket) tx.audit({ action: 'create', resource_type: 'portal_session', resource_id: String(id), after });
    return token;
  }

  private async find(token: string): Promise<LiveSession> {
    const [found] = await this.db.asWorker<LiveSession>(FIND_LIVE_SESSION, [Date.now(), this.pepper.hashes(token)]);
    if (!found) throw notFound('session');
    return found;
  }

  private async live(tx: Tx, token: string): Promise<LiveSession> {
    const [found] = await tx.query<LiveSession>(OPENED_SESSION, [Date.now(), this.pepper.hashes(token)]);
    if (!found) throw notFound('session');
    return found;
  }
}

const endOf = ({ expires_at, key_expires_at }: LiveSession): number => Math.min(expires_at, key_expires_at ?? Infinity);

const loginOf = (session: LiveSession): PortalLogin => {
  const { company_id, company_name, key_name, scopes } = session;
  return { company_id, company_name, key_name, scopes, expires_at: endOf(session) };
};
