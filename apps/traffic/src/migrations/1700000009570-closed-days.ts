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

/**
 * The service may not create indexes; this function creates one that is missing on the partition of a past day. It waits
 * for writers of that day a second at most, since later ones wait behind it.
 */
const CREATE = `CREATE FUNCTION traffic.index_closed_day() RETURNS text
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
  DECLARE
    missing record;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('traffic closed days')) THEN RETURN NULL; END IF;
    SELECT p.relname AS day, k.sort, p.relname || '_by_' || k.name AS index INTO missing
    FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid CROSS JOIN (VALUES ${NAMES}) k(name, sort)
    WHERE i.inhparent = 'traffic.requests'::regclass AND p.relname ~ '^requests_[0-9]{8}$'
      AND to_date(substring(p.relname FROM 10), 'YYYYMMDD') < (now() AT TIME ZONE 'UTC')::date
      AND to_regclass('traffic.' || p.relname || '_by_' || k.name) IS NULL
    ORDER BY p.relname DESC, k.name LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
    EXECUTE format('CREATE INDEX %I ON traffic.%I (company_id, %s, id)', missing.index, missing.day, missing.sort);
    RETURN missing.index;
  END $$`;

/** Lists of requests are sorted by indexes that cost nothing while a request is recorded. */
export class ClosedDays1700000009570 implements MigrationInterface {
  readonly name = 'ClosedDays1700000009570';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CREATE);
    await runner.query('REVOKE EXECUTE ON FUNCTION traffic.index_closed_day() FROM PUBLIC');
    await runner.query(`GRANT EXECUTE ON FUNCTION traffic.index_closed_day() TO ${worker}, ${owner}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION traffic.index_closed_day()');
  }
}
