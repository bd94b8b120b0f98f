/** SQL that every migration of a tenant table shares; one place decides what «belongs to a company» means. */

/** Epoch milliseconds of the database clock. */
export const NOW_MS = `(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The company of the current transaction or statement; null, hence nothing visible, when none is set. */
export const CURRENT_COMPANY = `NULLIF(current_setting('app.company', true), '')::int`;

/** The roles of a service: the owner migrates, the runtime role serves, the worker role sees queue rows only. */
export const rolesOf = (service: string) => ({
  owner: `svc_${service}_owner`,
  runtime: `svc_${service}`,
  worker: `svc_${service}_worker`,
});

/** Statements that put a table under forced row-level security for its company and grant the runtime role its use. */
export function protect(service: string, table: string, rights = 'SELECT, INSERT, UPDATE, DELETE'): string[] {
  const { runtime } = rolesOf(service);
  const name = `"${service}".${table}`;
  return [
    `ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`,
    `CREATE POLICY company ON ${name} TO ${runtime} USING (company_id = ${CURRENT_COMPANY}) WITH CHECK (company_id = ${CURRENT_COMPANY})`,
    `GRANT ${rights} ON ${name} TO ${runtime}`,
  ];
}

/** Statements that let the worker role of a service see all rows of a queue-like table. */
export function openToWorker(service: string, table: string, rights: string): string[] {
  const { worker } = rolesOf(service);
  return [
    `CREATE POLICY worker ON "${service}".${table} TO ${worker} USING (true) WITH CHECK (true)`,
    `GRANT ${rights} ON "${service}".${table} TO ${worker}`,
  ];
}

/**
 * Statements that create a tenant table: primary key `(company_id, id)`, so that references cannot cross companies,
 * `date_created`, `date_updated`, logical delete, and protection.
 */
export function tenantTable(service: string, table: string, columns: string[], more: string[] = []): string[] {
  return [
    `CREATE TABLE "${service}".${table} (
      company_id int NOT NULL,
      id int GENERATED ALWAYS AS IDENTITY,
      ${columns.map((column) => `${column},`).join('\n      ')}
      date_created bigint NOT NULL DEFAULT ${NOW_MS},
      date_updated bigint NOT NULL DEFAULT ${NOW_MS},
      deleted_at bigint,
      PRIMARY KEY (company_id, id)
    )`,
    `GRANT USAGE ON SEQUENCE "${service}".${table}_id_seq TO ${rolesOf(service).runtime}`,
    ...protect(service, table),
    ...more,
  ];
}
