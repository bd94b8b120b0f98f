import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CLOSED_AFTER, CREATE as CREATE_BEFORE } from './1700000009570-closed-days.js';

/** As the filter of sessions has it; see `inChat`. */
const IN_CHAT = `COALESCE(origin, CASE WHEN agent_id IS NULL THEN 'CHAT' ELSE 'AGENT' END) = 'CHAT'`;

export const LISTED = 'WHERE deleted_at IS NULL';
const sorted = (column: string): string => `(company_id, ${column}, id) ${LISTED}`;

/**
 * What lists read of days that are over. Skipping rows of a list, and finding the sessions of an intent, reads indexes alone:
 * the requests that were deleted are not in them.
 */
export const INDEXES: Readonly<Record<string, string>> = {
  cost: sorted('cost NULLS FIRST'),
  tokens: sorted('total_tokens NULLS FIRST'),
  duration: sorted('response_time_ms NULLS FIRST'),
  model: sorted('model NULLS FIRST'),
  updated: sorted('(COALESCE(date_updated, date_created)) NULLS FIRST'),
  number: `(company_id, id) ${LISTED}`,
  time: sorted('date_created'),
  intent: `(company_id, intent_id, session_id, date_created) ${LISTED} AND session_id IS NOT NULL AND ${IN_CHAT}`,
};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const valuesOf = (indexes: Readonly<Record<string, string>>): string =>
  Object.entries(indexes)
    .map((entry) => `(${entry.map(quoted).join(', ')})`)
    .join(', ');
/** The function of `ClosedDays1700000009570` with other indexes. */
export const replaceWith = (
  indexes: Readonly<Record<string, string>>,
): string => `CREATE OR REPLACE FUNCTION traffic.index_closed_day(skipped text[] DEFAULT '{}')
  RETURNS TABLE (day text, created text, failure text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
  DECLARE
    definition text;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('traffic closed days')) THEN RETURN; END IF;
    SELECT p.relname, k.definition, p.relname || '_by_' || k.name INTO day, definition, created
    FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid CROSS JOIN (VALUES ${valuesOf(indexes)}) k(name, definition)
    WHERE i.inhparent = 'traffic.requests'::regclass AND p.relname ~ '^requests_[0-9]{8}$'
      AND to_date(substring(p.relname FROM 10), 'YYYYMMDD') < ((now() - interval '${CLOSED_AFTER}') AT TIME ZONE 'UTC')::date
      AND to_regclass('traffic.' || p.relname || '_by_' || k.name) IS NULL AND NOT p.relname = ANY (skipped)
    ORDER BY p.relname DESC, k.name LIMIT 1;
    IF NOT FOUND THEN RETURN; END IF;
    BEGIN
      EXECUTE format('CREATE INDEX %I ON traffic.%I %s', created, day, definition);
    EXCEPTION WHEN query_canceled OR lock_not_available THEN
      created := NULL;
      failure := SQLSTATE;
    END;
    RETURN NEXT;
  END $$`;

/** More of what lists need is created once a day is over. */
export class ClosedDayLists1700000009625 implements MigrationInterface {
  readonly name = 'ClosedDayLists1700000009625';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(replaceWith(INDEXES));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE_BEFORE.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
  }
}
