import { rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const { owner, worker } = rolesOf('traffic');

/** What lists of requests are sorted by; a missing value is the smallest. */
const SORTS: Readonly<Record<string, string>> = {
  cost: 'cost',
  tokens: 'total_tokens',
  duration: 'response_time_ms',
  model: 'model',
  updated: '(COALESCE(date_updated, date_created))',
};

const NAMES = Object.entries(SORTS)
  .map(([name, sql]) => `('${name}', '${sql} NULLS FIRST')`)
  .join(', ');

/** Requests of a day are still recorded and corrected for some hours after its end. */
export const CLOSED_AFTER = '6 hours';

/**
 * The service may not create indexes; this function creates one that is missing on the partition of a past day, of the
 * newest that is not skipped. It waits for writers of that day a second at most, since later ones wait behind it, and
 * returns the SQLSTATE with the day when that was too short or the statement took too long: the caller goes on with others.
 */
export const CREATE = `CREATE FUNCTION traffic.index_closed_day(skipped text[] DEFAULT '{}')
  RETURNS TABLE (day text, created text, failure text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
  DECLARE
    sort text;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('traffic closed days')) THEN RETURN; END IF;
    SELECT p.relname, k.sort, p.relname || '_by_' || k.name INTO day, sort, created
    FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid CROSS JOIN (VALUES ${NAMES}) k(name, sort)
    WHERE i.inhparent = 'traffic.requests'::regclass AND p.relname ~ '^requests_[0-9]{8}$'
      AND to_date(substring(p.relname FROM 10), 'YYYYMMDD') < ((now() - interval '${CLOSED_AFTER}') AT TIME ZONE 'UTC')::date
      AND to_regclass('traffic.' || p.relname || '_by_' || k.name) IS NULL AND NOT p.relname = ANY (skipped)
    ORDER BY p.relname DESC, k.name LIMIT 1;
    IF NOT FOUND THEN RETURN; END IF;
    BEGIN
      EXECUTE format('CREATE INDEX %I ON traffic.%I (company_id, %s, id)', created, day, sort);
    EXCEPTION WHEN query_canceled OR lock_not_available THEN
      created := NULL;
      failure := SQLSTATE;
    END;
    RETURN NEXT;
  END $$`;

/** Lists of requests are sorted by indexes that cost nothing while a request is recorded. */
export class ClosedDays1700000009570 implements MigrationInterface {
  readonly name = 'ClosedDays1700000009570';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE);
    await runner.query('REVOKE EXECUTE ON FUNCTION traffic.index_closed_day(text[]) FROM PUBLIC');
    await runner.query(`GRANT EXECUTE ON FUNCTION traffic.index_closed_day(text[]) TO ${worker}, ${owner}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION traffic.index_closed_day(text[])');
  }
}
