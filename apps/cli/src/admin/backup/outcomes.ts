import { rolesOf } from '@signalbox/database';
import type { Client } from 'pg';
import { withSession } from './sources.js';

const KEPT_DAYS = 90;
/** The accounts service exports the outcomes as metrics. */
const READER = rolesOf('accounts').worker;

export interface Outcome {
  name: string;
  failure: string | null;
}

/** `at` is in epoch ms. */
export interface LastOutcomes {
  verified: { name: string; at: number } | null;
  last: Outcome;
}

/** In a schema of its own, where the doctor finds it whatever made the backup. */
export const noteOutcome = (databaseUrl: string, { name, failure }: Outcome): Promise<void> =>
  withSession(databaseUrl, async (client) => {
    await client.query(
      `CREATE TABLE IF NOT EXISTS public.signalbox_backups
         (at timestamptz NOT NULL DEFAULT now(), name text NOT NULL, failure text)`,
    );
    await openToReader(client);
    await client.query('INSERT INTO public.signalbox_backups (name, failure) VALUES ($1, $2)', [name, failure]);
    await client.query('DELETE FROM public.signalbox_backups WHERE at < now() - make_interval(days => $1)', [
      KEPT_DAYS,
    ]);
  });

/** The role is missing where accounts has a Postgres of its own. */
async function openToReader(client: Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [READER]);
  if (rowCount) await client.query(`GRANT SELECT ON public.signalbox_backups TO ${READER}`);
}

export const lastOutcomes = (databaseUrl: string): Promise<LastOutcomes | null> =>
  withSession(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ found: boolean }>(
      `SELECT to_regclass('public.signalbox_backups') IS NOT NULL AS found`,
    );
    if (!tables[0]?.found) return null;
    const { rows } = await client.query<Outcome & { at: Date }>(
      `(SELECT name, failure, at FROM public.signalbox_backups ORDER BY at DESC LIMIT 1) UNION ALL
       (SELECT name, failure, at FROM public.signalbox_backups WHERE failure IS NULL ORDER BY at DESC LIMIT 1)
       ORDER BY at DESC`,
    );
    const [last] = rows;
    if (last === undefined) return null;
    const verified = rows.find(({ failure }) => failure === null);
    return { last, verified: verified ? { name: verified.name, at: verified.at.getTime() } : null };
  });
