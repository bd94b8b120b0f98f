import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type ApiKey,
  conflict,
  type CurrentApiKey,
  type Identity,
  newKeyText,
  notFound,
  type Scope,
  accountEvents,
  emission,
} from '@signalbox/contracts';
import { CompanyRepository, Database, type Owner, type Tx, type View } from '@signalbox/database';
import { ApiKeyRow } from './api-key.entity.js';
import { isLive, isLiveAdmin } from './api-key.js';
import { FormerPepper, Pepper } from './pepper.js';

const view: View = {
  resource: 'api key',
  table: 'accounts.api_keys',
  columns: [
    'id',
    'name',
    'last4',
    'scopes',
    'expires_at',
    'last_used_at',
    'revoked_at',
    'created_by_key_id',
    'date_created',
    'date_updated',
  ],
  computed: { key_prefix: `'svk_' || t.key_id` },
  search: ['t.name'],
  sort: { name: 't.name', last_used_at: 't.last_used_at', expires_at: 't.expires_at' },
};

const USED_RESOLUTION_MS = 60_000;

/** The input of a new key. */
export interface NewKey {
  name: string;
  scopes: Scope[];
  expires_at?: number | null;
}

/**
 * Rows of API keys.
 *
 * SQL: a key is found before its company is known, by the worker role.
 */
@Injectable()
export class ApiKeys extends CompanyRepository<ApiKeyRow, ApiKey> {
  constructor(
    db: Database,
    private readonly pepper: Pepper,
    private readonly formerPepper: FormerPepper,
  ) {
    super(db, { entity: ApiKeyRow, view, type: 'api_key' });
  }

  /** Creates a key; its text is only in the reply. */
  async make(owner: Owner, values: NewKey): Promise<ApiKey & { key: string }> {
    return this.db.withCompany(owner, (tx) => this.makeIn(tx, values));
  }

  async makeIn(tx: Tx, { name, scopes, expires_at }: NewKey): Promise<ApiKey & { key: string }> {
    const { text, keyId } = newKeyText();
    const id = await this.insert(tx, {
      name,
      scopes: [...new Set(scopes)],
      expires_at: expires_at ?? null,
      key_id: keyId,
      key_hash: this.formerPepper.hash(text),
      key_hmac: this.pepper.hash(text),
      last4: text.slice(-4),
      created_by_key_id: 'keyId' in tx.owner ? tx.owner.keyId : null,
    });
    const stored = await tx.read<ApiKey>(view, id);
    const record = JSON.parse(stored?.text ?? 'null') as ApiKey;
    tx.emit(emission(accountEvents, 'api_key.created', id, record));
    tx.audit({
      action: 'create',
      resource_type: 'api_key',
      resource_id: String(id),
      after: { ...record, key: '[secret]' },
    });
    return { ...record, key: text };
  }

  /** Refuses a change that would leave the company without a live admin key. */
  async requireOtherAdmin(tx: Tx, key: ApiKeyRow): Promise<void> {
    const now = Date.now();
    if (!isLiveAdmin(key, now)) return;
    // The lock on the company's row serialises concurrent changes of the last two admin keys.
    await tx.query('SELECT 1 FROM accounts.companies WHERE company_id = $1 FOR UPDATE', [tx.companyId]);
    const others = await tx.query(
      `SELECT 1 FROM accounts.api_keys WHERE company_id = $1 AND id <> $2 AND deleted_at IS NULL AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > $3) AND 'admin' = ANY (scopes) LIMIT 1`,
      [tx.companyId, key.id, now],
    );
    if (others.length === 0) throw conflict('it would leave no live admin key');
  }

  /** Resolves a key to its company and scopes; 404 for every key that is not live or whose company is deleted. */
  async resolve(keyId: string, text: string): Promise<Identity> {
    const [row] = await this.db.asWorker<ApiKeyRow>(
      `SELECT id, company_id, key_hash, key_hmac, scopes, expires_at, revoked_at, last_used_at FROM accounts.api_keys k
       WHERE key_id = $1 AND deleted_at IS NULL
         AND EXISTS (SELECT 1 FROM accounts.companies c WHERE c.id = k.company_id AND c.deleted_at IS NULL)`,
      [keyId],
    );
    const now = Date.now();
    if (!row || !this.isKeyOf(row, text) || !isLive(row, now)) throw notFound('key');
    if (row.key_hmac === null || (row.last_used_at ?? 0) < now - USED_RESOLUTION_MS) await this.noteUse(row, text, now);
    return { company_id: row.company_id, key_id: row.id, scopes: row.scopes, expires_at: row.expires_at };
  }

  private isKeyOf({ key_hmac, key_hash }: ApiKeyRow, text: string): boolean {
    return key_hmac === null
      ? timingSafeEqual(key_hash, this.formerPepper.hash(text))
      : timingSafeEqual(key_hmac, this.pepper.hash(text));
  }

  /** Also gives a key of 0.1.0 the hash of this release. */
  private async noteUse({ id }: ApiKeyRow, text: string, now: number): Promise<void> {
    await this.db.asWorker('UPDATE accounts.api_keys SET last_used_at = $2, key_hmac = $3 WHERE id = $1', [
      id,
      now,
      this.pepper.hash(text),
    ]);
  }

  /** The key of the call with the name of its company. */
  async current(companyId: number, id: number): Promise<CurrentApiKey> {
    const key = JSON.parse((await this.get(companyId, id)).text) as ApiKey;
    const [company] = await this.db.select<{ id: number; name: string }>(
      companyId,
      `SELECT c.* FROM s, LATERAL (SELECT id, name FROM accounts.companies t WHERE t.company_id = s.company OFFSET 0) c`,
    );
    return { ...key, company: company ?? { id: companyId, name: '' } };
  }
}
