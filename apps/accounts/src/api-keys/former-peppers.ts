import { type Database } from '@signalbox/database';
import { PEPPER_KIND, Seal } from '@signalbox/platform';
import type { FormerPepperRow } from './former-pepper.entity.js';
import { FORMER_PEPPERS } from './former-peppers.sql.js';

/** In hexadecimal. */
export interface Peppers {
  API_KEY_PEPPER: string;
  KEY_PEPPER: string;
}

/** Stored by `admin rotate-master-key`: keys and sessions that were hashed with former peppers stay valid. */
export async function formerPeppers(db: Database, sealKeys: readonly string[]): Promise<Peppers[]> {
  const seal = new Seal(PEPPER_KIND, sealKeys);
  const rows = await db.asWorker<Pick<FormerPepperRow, 'key_id' | 'sealed'>>(FORMER_PEPPERS, []);
  return rows.map(({ key_id, sealed }) => JSON.parse(seal.open(key_id, sealed)) as Peppers);
}
