import { composed, txStatement } from '@signalbox/database';

export type Referenced = 'applications' | 'intent_groups' | 'providers' | 'tags';

/** Locks a row against deletion until the transaction ends; no row when it does not exist. */
export const SHARE_ROW = composed(
  (table: Referenced) =>
    txStatement(
      { index: `${table}_pkey` },
      `SELECT 1 FROM traffic.${table} WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE`,
    ),
  ['applications'],
  ['intent_groups'],
  ['providers'],
  ['tags'],
);
