const DAY_MS = 86_400_000;

/** The table of the requests of a day, which begins at `starts` in ms since 1970. */
export const requestDay = (starts: number): string =>
  `requests_${new Date(starts).toISOString().slice(0, 10).replaceAll('-', '')}`;

/**
 * Makes a day of the request log that is past, as the service makes those to come: by the owner of the log, and closed to
 * other companies.
 */
export async function makeRequestDay(sql: { query(text: string): Promise<unknown> }, starts: number): Promise<void> {
  const name = `traffic.${requestDay(starts)}`;
  await sql.query(`SET ROLE svc_traffic_owner;
    CREATE TABLE IF NOT EXISTS ${name} PARTITION OF traffic.requests FOR VALUES FROM (${starts}) TO (${starts + DAY_MS});
    ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    RESET ROLE`);
}
