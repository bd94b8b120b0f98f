import { BusConnection, Serves } from '@signalbox/bus';
import { apiKeys, type CallTo, type Handlers, notFound, emits } from '@signalbox/contracts';
import { checkExpiry, revokeKey, rotateKey, shortensAdmin, updateKey } from './api-key.js';
import { ApiKeys } from './api-keys.repository.js';

type C = typeof apiKeys;

@Serves(apiKeys)
export class ApiKeyHandlers implements Handlers<C> {
  constructor(
    private readonly keys: ApiKeys,
    private readonly bus: BusConnection,
  ) {}

  listApiKeys({ input, caller }: CallTo<C, 'listApiKeys'>) {
    return this.keys.listBy(caller.companyId, input);
  }

  async createApiKey({ input, caller }: CallTo<C, 'createApiKey'>) {
    checkExpiry(input.expires_at, Date.now());
    return this.keys.db.withCompany(caller, async (tx) => {
      await this.keys.requireCapacity(tx);
      return this.keys.makeIn(tx, input);
    });
  }

  async getCurrentApiKey({ caller }: CallTo<C, 'getCurrentApiKey'>) {
    if (caller.keyId === null) throw notFound('api key');
    return this.keys.current(caller.companyId, caller.keyId);
  }

  getApiKey({ input, caller }: CallTo<C, 'getApiKey'>) {
    return this.keys.get(caller.companyId, input.api_key_id);
  }

  async updateApiKey({ input: { api_key_id, ...change }, caller }: CallTo<C, 'updateApiKey'>) {
    const now = Date.now();
    const reply = await this.keys.change(
      caller,
      api_key_id,
      () => updateKey(change, now),
      (tx, row) => (shortensAdmin(row, change) ? this.keys.requireOtherAdmin(tx, row) : Promise.resolve()),
    );
    this.forget(api_key_id);
    return reply;
  }

  async deleteApiKey({ input, caller }: CallTo<C, 'deleteApiKey'>) {
    const reply = await this.keys.remove(
      caller,
      input.api_key_id,
      () => ({ events: [emits('api_key.revoked')] }),
      (tx, row) => this.keys.requireOtherAdmin(tx, row),
    );
    this.forget(input.api_key_id);
    return reply;
  }

  async revokeApiKey({ input, caller }: CallTo<C, 'revokeApiKey'>) {
    const reply = await this.keys.change(
      caller,
      input.api_key_id,
      (row) => revokeKey(row, Date.now()),
      (tx, row) => this.keys.requireOtherAdmin(tx, row),
    );
    this.forget(input.api_key_id);
    return reply;
  }

  async rotateApiKey({ input, caller }: CallTo<C, 'rotateApiKey'>) {
    const reply = await this.keys.db.withCompany(caller, async (tx) => {
      const { row } = await this.keys.lock(tx, input.api_key_id);
      if (input.grace_seconds > 0) await this.keys.requireGrace(tx);
      await this.keys.changeIn(tx, row.id, (key) => rotateKey(key, input.grace_seconds, Date.now()));
      return this.keys.makeIn(tx, { name: row.name, scopes: row.scopes, expires_at: row.expires_at });
    });
    this.forget(input.api_key_id);
    return reply;
  }

  /** Notifies every gateway; one that misses the message confirms the key within 5 s anyway. */
  private forget(id: number): void {
    this.bus.announce('broadcast.keys', String(id));
  }
}
