import { Seal, SEALED_COLUMNS, type SealedColumn } from '@signalbox/platform';
import { rolesOf } from '@signalbox/database/tenancy';
import { type MasterKeys, serviceKeys } from '@signalbox/servers';
import type pg from 'pg';

const BATCH = 500;

interface SealedRow {
  company_id: number;
  id: number;
  sealed: Buffer;
}

/** The owner reads all companies; a service writes one at a time. */
export interface Sessions {
  owner: pg.Client;
  of(service: SealedColumn['service']): Promise<pg.Client>;
}

/** `others` are those that the current key does not open. */
export interface Counted {
  total: number;
  others: number;
}

const nameOf = ({ service, table, column }: SealedColumn): string => `${service}.${table}.${column}`;

export const sealOf = (keys: MasterKeys, { kind, key }: Pick<SealedColumn, 'kind' | 'key'>): Seal =>
  new Seal(kind, serviceKeys(keys, key).split(','));

async function* slicesOf(owner: pg.Client, { service, table, column }: SealedColumn): AsyncGenerator<SealedRow[]> {
  let [company, id] = [0, 0];
  for (;;) {
    const { rows } = await asRole(owner, rolesOf(service).owner, () =>
      owner.query<SealedRow>(
        `SELECT company_id, id, ${column} AS sealed FROM ${service}.${table}
         WHERE ${column} IS NOT NULL AND (company_id, id) > ($1, $2) ORDER BY company_id, id LIMIT ${BATCH}`,
        [company, id],
      ),
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    [company, id] = [last.company_id, last.id];
  }
}

/** Sets the role instead of a login: some roles have none. */
export async function asRole<T>(client: pg.Client, role: string, work: () => Promise<T>): Promise<T> {
  await client.query(`SET ROLE ${client.escapeIdentifier(role)}`);
  try {
    return await work();
  } finally {
    await client.query('RESET ROLE');
  }
}

export async function countSealed({ owner }: Sessions, keys: MasterKeys): Promise<Record<string, Counted>> {
  const counted: Record<string, Counted> = {};
  for (const column of SEALED_COLUMNS) {
    const seal = sealOf(keys, column);
    const sum = { total: 0, others: 0 };
    for await (const rows of slicesOf(owner, column)) {
      sum.total += rows.length;
      sum.others += rows.filter((row) => !isCurrent(seal, column, row)).length;
    }
    counted[nameOf(column)] = sum;
  }
  return counted;
}

const isCurrent = (seal: Seal, { context }: SealedColumn, { company_id, id, sealed }: SealedRow): boolean =>
  seal.isCurrent(context(company_id, id), sealed);

/**
 * Reseals slice by slice, so that an interruption loses nothing; reports the changed values of a column after each
 * slice. Returns the places of values that neither key opens, which keep no other value from being resealed.
 */
export async function sealAnew(
  sessions: Sessions,
  keys: MasterKeys,
  report: (column: string, changed: number) => void,
): Promise<string[]> {
  const lost: string[] = [];
  for (const column of SEALED_COLUMNS) {
    const seal = sealOf(keys, column);
    const writer = await sessions.of(column.service);
    for await (const rows of slicesOf(sessions.owner, column)) {
      let changed = 0;
      for (const row of rows.filter((each) => !isCurrent(seal, column, each)))
        if (await replace(writer, column, row, seal)) changed += 1;
        else lost.push(`${nameOf(column)} of company ${row.company_id}, id ${row.id}`);
      if (changed > 0) report(nameOf(column), changed);
    }
  }
  return lost;
}

/** False when no key opens it. A value that changed meanwhile was sealed with the current key and stays. */
async function replace(writer: pg.Client, column: SealedColumn, row: SealedRow, seal: Seal): Promise<boolean> {
  const { company_id, id, sealed } = row;
  const context = column.context(company_id, id);
  const text = openedBy(seal, context, sealed);
  if (text === null) return false;
  const anew = seal.seal(context, text);
  await writer.query(`SELECT set_config('app.company', $1, false)`, [String(company_id)]);
  await writer.query(
    `UPDATE ${column.service}.${column.table} SET ${column.column} = $4
     WHERE company_id = $1 AND id = $2 AND ${column.column} = $3`,
    [company_id, id, sealed, anew],
  );
  return true;
}

function openedBy(seal: Seal, context: string, sealed: Buffer): string | null {
  try {
    return seal.open(context, sealed);
  } catch {
    return null;
  }
}
