import { txStatement } from '@signalbox/database';

export const TRANSACTION_ID = txStatement({ index: null }, 'SELECT pg_current_xact_id()::text AS id');

export const IS_COMMITTED = txStatement(
  { index: null },
  "SELECT pg_xact_status($1::text::xid8) = 'committed' AS committed",
);
