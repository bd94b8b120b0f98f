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
import { CompanyRepository, Database, type Tx, type View } from '@signalbox/database';
import { Pepper } from '../api-keys/index.js';
import { PortalSessionRow } from './portal-session.entity.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const IDLE_MS = 12 * HOUR_MS;
const SESSION_MS = 7 * 24 * HOUR_MS;
const TICKET_MS = 5 * MINUTE_MS;

/** SQL: a session that is in use, at the time of the parameter. */
const inUse = (now: string): string =>
  `NOT t.is_ticket AND t.expires_at > ${now} AND t.last_seen_at > ${now} - ${IDLE_MS}`;
const NOW_MS = '(extract(epoch FROM now()) * 1000)::bigint';

const view: View = {
  resource: 'portal session',
  table: 'accounts.portal_sessions',
  columns: ['id', 'date_created', 'last_seen_at', 'expires_at', 'user_agent'],
  computed: {
    key_id: 't.api_key_id',
    key_name: `(SELECT k.name FROM accounts.api_keys k WHERE k.company_id = t.company_id AND k.id = t.api_key_id)`,
  },
  alive: `t.deleted_at IS NULL AND ${inUse(NOW_MS)}`,
  search: ['t.user_agent'],
  sort: { last_seen_at: 't.last_seen_at' },
};

/** A session with the live state of its key. */
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

/** A session as its browser gets it. */
type Opened = PortalLogin & { token: string };

/**
 * Sessions of browsers. A session has the scopes that its key has now, and ends with it.
 *
 * SQL: a session is found before its company is known, by the worker role.
 */
@Injectable()
export class PortalSessions extends CompanyRepository<PortalSessionRow, PortalSession> {
  constructor(
    db: Database,
    private readonly pepper: Pepper,
  ) {
    super(db, { entity: PortalSessionRow, view, type: 'portal_session' });
  }

  /** Opens a session for a key that has been checked. */
  open(caller: Caller, { company_id, key_id }: Identity, userAgent: string): Promise<Opened> {
    return this.db.withCompany({ ...caller, companyId: company_id, keyId: key_id }, async (tx) => {
      const token = await this.add(tx, { keyId: key_id, userAgent, lastsMs: SESSION_MS, isTicket: false });
      return { ...loginOf(await this.live(tx, token)), token };
    });
  }

  /** Makes a ticket for the oldest live admin key of a company. */
  makeTicket(companyId: number): Promise<{ ticket: string; expires_at: number }> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const [key] = await tx.query<{ id: number }>(
        `SELECT id FROM accounts.api_keys WHERE company_id = $1 AND deleted_at IS NULL AND revoked_at IS NULL
           AND (expires_at IS NULL OR expires_at > $2) AND 'admin' = ANY (scopes) ORDER BY id LIMIT 1`,
        [companyId, Date.now()],
      );
      if (!key) throw notFound('admin key');
      const ticket = await this.add(tx, { keyId: key.id, userAgent: '', lastsMs: TICKET_MS, isTicket: true });
      return { ticket, expires_at: Date.now() + TICKET_MS };
    });
  }

  /** Signs in with a ticket, which then is used up; 404 when it is unknown, used or expired. */
  async redeem(caller: Caller, ticket: string, userAgent: string): Promise<Opened> {
    const [used] = await this.db.asWorker<{ company_id: number; api_key_id: number }>(
      `DELETE FROM accounts.portal_sessions WHERE token_hash = $1 AND is_ticket AND expires_at > $2 RETURNING company_id, api_key_id`,
      [this.pepper.hash(ticket), Date.now()],
    );
    if (!used) throw notFound('ticket');
    const identity = { company_id: used.company_id, key_id: used.api_key_id, scopes: [], expires_at: null };
    return this.open(caller, identity, userAgent);
  }

  /** The company and rights of a session; 404 when it or its key is no longer live. */
  async resolve(token: string): Promise<Identity> {
    const session = await this.find(token);
    const now = Date.now();
    if (session.last_seen_at < now - MINUTE_MS)
      await this.db.asWorker('UPDATE accounts.portal_sessions SET last_seen_at = $2, date_updated = $2 WHERE id = $1', [
        session.id,
        now,
      ]);
    const { company_id, key_id, scopes } = session;
    return { company_id, key_id, scopes, expires_at: endOf(session) };
  }

  async describe(token: string): Promise<PortalLogin> {
    return loginOf(await this.find(token));
  }

  /** Ends the session of a browser; returns the id of its key, null when there is no such session. */
  async close(caller: Caller, token: string): Promise<number | null> {
    const [closed] = await this.db.asWorker<{ company_id: number; id: number; api_key_id: number }>(
      'SELECT company_id, id, api_key_id FROM accounts.portal_sessions t WHERE token_hash = $1 AND NOT is_ticket',
      [this.pepper.hash(token)],
    );
    if (!closed) return null;
    await this.end({ ...caller, companyId: closed.company_id, keyId: closed.api_key_id }, closed.id);
    return closed.api_key_id;
  }

  /** Ends a session; returns the id of its key. */
  end(caller: Caller, id: number): Promise<number> {
    return this.db.withCompany(caller, async (tx) => {
      const { row } = await this.lock(tx, id);
      await tx.query('DELETE FROM accounts.portal_sessions WHERE company_id = $1 AND id = $2', [tx.companyId, id]);
      tx.audit({ action: 'delete', resource_type: 'portal_session', resource_id: String(id) });
      return row.api_key_id;
    });
  }

  /** Deletes what has expired, at most a thousand rows at a time; returns how many. */
  async sweep(): Promise<number> {
    const now = Date.now();
    const deleted = await this.db.asWorker(
      `DELETE FROM accounts.portal_sessions WHERE id = ANY (ARRAY(SELECT t.id FROM accounts.portal_sessions t
         WHERE t.expires_at <= $1 OR t.last_seen_at <= $2 LIMIT 1000)) RETURNING id`,
      [now, now - IDLE_MS],
    );
    return deleted.length;
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
    const [found] = await this.db.asWorker<LiveSession>(`${LIVE} AND t.token_hash = $2`, [
      Date.now(),
      this.pepper.hash(token),
    ]);
    if (!found) throw notFound('session');
    return found;
  }

  private async live(tx: Tx, token: string): Promise<LiveSession> {
    const [found] = await tx.query<LiveSession>(`${LIVE} AND t.token_hash = $2`, [Date.now(), this.pepper.hash(token)]);
    if (!found) throw notFound('session');
    return found;
  }
}

const LIVE = `SELECT t.id, t.company_id, c.name AS company_name, k.id AS key_id, k.name AS key_name, k.scopes, t.expires_at,
    k.expires_at AS key_expires_at, t.last_seen_at
  FROM accounts.portal_sessions t
  JOIN accounts.api_keys k ON k.company_id = t.company_id AND k.id = t.api_key_id
  JOIN accounts.companies c ON c.id = t.company_id
  WHERE ${inUse('$1::bigint')} AND t.deleted_at IS NULL AND k.deleted_at IS NULL AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > $1) AND c.deleted_at IS NULL`;

const endOf = ({ expires_at, key_expires_at }: LiveSession): number => Math.min(expires_at, key_expires_at ?? Infinity);

const loginOf = (session: LiveSession): PortalLogin => {
  const { company_id, company_name, key_name, scopes } = session;
  return { company_id, company_name, key_name, scopes, expires_at: endOf(session) };
};
