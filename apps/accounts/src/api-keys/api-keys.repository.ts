import { Injectable } from '@nestjs/common';
import {
  type ApiKey,
  conflict,
  type CurrentApiKey,
  type Identity,
  notFound,
  type Scope,
  accountEvents,
  emission,
} from '@signalbox/contracts';
import { CompanyRepository, Database, requireFewer, type Owner, type Tx } from '@signalbox/database';
import { newKeyText } from '@signalbox/platform';
import { ApiKeyRow } from './api-key.entity.js';
import { isLive, isLiveAdmin } from './api-key.js';
import { FormerPepper, isAmong, Pepper } from './pepper.js';
import {
  LOCK_COMPANY,
  COUNT_LIVE_KEYS,
  COUNT_ROTATED_KEYS,
  FIND_OTHER_ADMIN_KEY,
  FIND_KEY,
  NOTE_USE,
  COMPANY_OF_KEY,
  view,
} from './api-keys.sql.js';

const USED_RESOLUTION_MS = 60_000;
/** Of a company: a gateway caches ten thousand keys, of all companies. */
const MAX_LIVE_KEYS = 1000;

export interface NewKey {
  name: string;
  scopes: Scope[];
  expires_at?: number | null;
}

/** SQL: a key is found before its company is known, by the worker role. */
@Injectable()
export class ApiKeys extends CompanyRepository<ApiKeyRow, ApiKey> {
  constructor(
    db: Database,
    private readonly pepper: Pepper,
    private readonly formerPepper: FormerPepper,
  ) {
    super(db, { entity: ApiKeyRow, view, type: 'api_key' });
  }

  /** The text of the key is only in the reply. */
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

  /** 409 at the maximum number of live keys; concurrent calls may exceed it. */
  async requireCapacity(tx: Tx): Promise<void> {
    const message = `there are at most ${MAX_LIVE_KEYS} live API keys`;
    await requireFewer(tx, MAX_LIVE_KEYS, { sql: COUNT_LIVE_KEYS, values: [Date.now()], message });
  }

  /** 409 when as many rotated keys are in their grace period: each has a live replacement, which no other bound counts. */
  async requireGrace(tx: Tx): Promise<void> {
    const message = `at most ${MAX_LIVE_KEYS} rotated keys are in their grace period`;
    await requireFewer(tx, MAX_LIVE_KEYS, { sql: COUNT_ROTATED_KEYS, values: [Date.now()], message });
  }

  /** Throws 409 when the company would be left without a live admin key that was not rotated. */
  async requireOtherAdmin(tx: Tx, key: ApiKeyRow): Promise<void> {
    const now = Date.now();
    if (!isLiveAdmin(key, now)) return;
    // Serialises concurrent changes of the last two admin keys.
    await tx.query(LOCK_COMPANY, [tx.companyId]);
    const others = await tx.query(FIND_OTHER_ADMIN_KEY, [tx.companyId, key.id, now]);
    if (others.length === 0) throw conflict('it would leave no live admin key, or a rotated one alone');
  }

  /** Throws 404 for a key that is not live, or whose company is deleted. */
  async resolve(keyId: string, text: string): Promise<Identity> {
    const [row] = await this.db.asWorker<ApiKeyRow>(FIND_KEY, [keyId]);
    const now = Date.now();
    if (!row || !this.isKeyOf(row, text) || !isLive(row, now)) throw notFound('key');
    if (row.key_hmac === null || (row.last_used_at ?? 0) < now - USED_RESOLUTION_MS) await this.noteUse(row, text, now);
    return { company_id: row.company_id, key_id: row.id, scopes: row.scopes, expires_at: row.expires_at };
  }

  private isKeyOf({ key_hmac, key_hash }: ApiKeyRow, text: string): boolean {
    return key_hmac === null
      ? isAmong(key_hash, this.formerPepper.hashes(text))
      : isAmong(key_hmac, this.pepper.hashes(text));
  }

  /** Also stores the hash under the current pepper, for keys of 0.1.0 and of a former master key. */
  private async noteUse({ id, company_id }: ApiKeyRow, text: string, now: number): Promise<void> {
    await this.db.asWorker(NOTE_USE, [id, now, this.pepper.hash(text), company_id]);
  }

  async current(companyId: number, id: number): Promise<CurrentApiKey> {
    const key = JSON.parse((await this.get(companyId, id)).text) as ApiKey;
    const [company] = await this.db.select<{ id: number; name: string }>(companyId, COMPANY_OF_KEY);
    return { ...key, company: company ?? { id: companyId, name: '' } };
  }
}
