import { type Database } from '@signalbox/database';
import { PEPPER_KIND, Seal } from '@signalbox/platform';
import type { FormerPepperRow } from './former-pepper.entity.js';
import { FORMER_PEPPERS } from './former-peppers.sql.js';

/** The peppers of one former master key, in hexadecimal digits. */
export interface Peppers {
  API_KEY_PEPPER: string;
  KEY_PEPPER: string;
}

/**
 * The peppers of former master keys, which `admin rotate-master-key` has stored sealed: API keys and sessions that were
 * hashed with them stay valid.
 */
export async function formerPeppers(db: Database, sealKeys: readonly string[]): Promise<Peppers[]> {
  const seal = new Seal(PEPPER_KIND, sealKeys);
  const rows = await db.asWorker<Pick<FormerPepperRow, 'key_id' | 'sealed'>>(FORMER_PEPPERS, []);
  return rows.map(({ key_id, sealed }) => JSON.parse(seal.open(key_id, sealed)) as Peppers);
}
