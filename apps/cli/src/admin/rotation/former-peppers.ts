import { rolesOf } from '@signalbox/database/tenancy';
import { PEPPER_KIND } from '@signalbox/platform';
import { type MasterKeys, masterKeyId, serviceKey } from '@signalbox/servers';
import type { Seal } from '@signalbox/platform';
import { asRole, type Counted, sealOf, type Sessions } from './sealed-values.js';

const COLUMN = { kind: PEPPER_KIND, key: 'WEBHOOK_SEAL_KEY' } as const;
const { owner: OWNER } = rolesOf('accounts');

interface PepperRow {
  key_id: string;
  sealed: Buffer;
}

async function rowsOf({ owner }: Sessions): Promise<PepperRow[]> {
  const { rows } = await asRole(owner, OWNER, () =>
    owner.query<PepperRow>('SELECT key_id, sealed FROM accounts.former_peppers'),
  );
  return rows;
}

const oldOf = (rows: PepperRow[], seal: Seal): PepperRow[] =>
  rows.filter(({ key_id, sealed }) => !seal.isCurrent(key_id, sealed));

/** Former peppers, including a missing one, and how many of them the current key does not open. */
export async function countPeppers(sessions: Sessions, keys: MasterKeys): Promise<Counted> {
  const rows = await rowsOf(sessions);
  const isMissing = keys.previous !== null && !rows.some(({ key_id }) => key_id === masterKeyId(keys.previous ?? ''));
  const missing = isMissing ? 1 : 0;
  return { total: rows.length + missing, others: oldOf(rows, sealOf(keys, COLUMN)).length + missing };
}

/**
 * Keeps the peppers of the previous master key, sealed with the current one: only the client has the text of an API key
 * or session, so hashes cannot be computed anew.
 */
export async function keepPeppers(sessions: Sessions, keys: MasterKeys): Promise<void> {
  const { owner } = sessions;
  const seal = sealOf(keys, COLUMN);
  const { previous } = keys;
  const write = (keyId: string, text: string): Promise<unknown> =>
    asRole(owner, OWNER, () =>
      owner.query(
        `INSERT INTO accounts.former_peppers (key_id, sealed) VALUES ($1, $2)
         ON CONFLICT (key_id) DO UPDATE SET sealed = EXCLUDED.sealed`,
        [keyId, seal.seal(keyId, text)],
      ),
    );
  if (previous !== null) {
    const peppers = ['API_KEY_PEPPER', 'KEY_PEPPER'] as const;
    const values = Object.fromEntries(peppers.map((name) => [name, serviceKey(previous, name)]));
    await write(masterKeyId(previous), JSON.stringify(values));
  }
  for (const { key_id, sealed } of oldOf(await rowsOf(sessions), seal)) await write(key_id, seal.open(key_id, sealed));
}
