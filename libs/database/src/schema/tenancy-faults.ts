import { KEEP_ALIVE } from '../keep-alive.js';
import { rolesOf } from './schema.js';

// What the command line needs without the rest of the library.
export { KEEP_ALIVE, rolesOf };

export interface CatalogReader {
  query<T extends object>(sql: string, values: unknown[]): Promise<{ rows: T[] }>;
}

/** Tables without rows of companies. */
const OUTSIDE = ['migrations', 'schema_requirements', 'bus_state', 'secret_holders', 'object_sweep', 'former_peppers'];

interface TableRow {
  schema: string;
  name: string;
  kind: string;
  owner: string;
  secured: boolean;
  forced: boolean;
  partition: boolean;
  options: string[] | null;
  has_company: boolean;
}

interface PolicyRow {
  schema: string;
  name: string;
  roles: string[];
  using: string | null;
  check: string | null;
}

const TABLES = `SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind, pg_get_userbyid(c.relowner) AS owner,
    c.relrowsecurity AS secured, c.relforcerowsecurity AS forced, c.relispartition AS partition, c.reloptions AS options,
    EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'company_id' AND NOT a.attisdropped) AS has_company
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`;

const POLICIES = `SELECT schemaname AS schema, tablename AS name, roles::text[] AS roles, qual AS using, with_check AS check
  FROM pg_policies WHERE schemaname = ANY ($1)`;

const ROLES = `SELECT rolname AS role, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication AS mighty,
    (SELECT count(*)::int FROM pg_class c WHERE c.relowner = r.oid) AS owned,
    (SELECT count(*)::int FROM pg_auth_members m WHERE m.member = r.oid) AS memberships
  FROM pg_roles r WHERE rolname = ANY ($1)`;

const FOREIGN_RIGHTS = `SELECT r.rolname AS role, n.nspname AS schema FROM pg_roles r CROSS JOIN pg_namespace n
  WHERE r.rolname = ANY ($1) AND n.nspname = ANY ($2) AND has_schema_privilege(r.rolname, n.nspname, 'USAGE')`;

// TRUNCATE and REFERENCES bypass row-level security.
const RIGHTS_PAST_POLICIES = `SELECT r.rolname AS role, n.nspname || '.' || c.relname AS name FROM pg_roles r
  CROSS JOIN pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE r.rolname = ANY ($1) AND n.nspname = ANY ($2) AND c.relkind IN ('r', 'p')
    AND (has_table_privilege(r.rolname, c.oid, 'TRUNCATE') OR has_table_privilege(r.rolname, c.oid, 'REFERENCES'))`;

const boundToCompany = (expression: string | null): boolean =>
  expression !== null && /^\(company_id = \(?NULLIF\(current_setting\('app\.company'/.test(expression);

function tableFaults(table: TableRow, policies: PolicyRow[], runtime: string): string[] {
  const name = `${table.schema}.${table.name}`;
  if (table.kind === 'v') {
    const invokes = table.options?.some((option) => /^security_invoker=(true|on|1)$/.test(option));
    return invokes ? [] : [`${name} is a view without security_invoker`];
  }
  if (table.kind !== 'r' && table.kind !== 'p') return [`${name} is of a kind that row-level security does not cover`];
  if (OUTSIDE.includes(table.name)) return [];
  const faults: string[] = [];
  if (!table.has_company) faults.push(`${name} has no company_id`);
  if (!table.secured || !table.forced) faults.push(`${name} does not force row-level security`);
  const own = policies.filter((policy) => policy.schema === table.schema && policy.name === table.name);
  const forRuntime = own.filter(({ roles }) => roles.includes(runtime) || roles.includes('public'));
  // A partition without a policy returns no rows when queried directly; its parent has the policy.
  if (forRuntime.length === 0 && !table.partition) faults.push(`${name} has no policy for ${runtime}`);
  for (const { using, check } of forRuntime)
    if (!boundToCompany(using) || !boundToCompany(check)) faults.push(`${name} has a policy open to other companies`);
  return faults;
}

async function roleFaults(sql: CatalogReader, service: string, others: string[]): Promise<string[]> {
  const { owner, runtime, worker } = rolesOf(service);
  const faults: string[] = [];
  const roles = await sql.query<{ role: string; mighty: boolean; owned: number; memberships: number }>(ROLES, [
    [owner, runtime, worker],
  ]);
  if (roles.rows.length !== 3) faults.push(`${service} lacks one of its three roles`);
  for (const { role, mighty, owned, memberships } of roles.rows) {
    if (mighty) faults.push(`${role} may do more than its tables need`);
    if (role !== owner && owned > 0) faults.push(`${role} owns ${owned} relations`);
    if (memberships > 0) faults.push(`${role} is a member of another role`);
  }
  const foreign = await sql.query<{ role: string; schema: string }>(FOREIGN_RIGHTS, [[runtime, worker], others]);
  faults.push(...foreign.rows.map(({ role, schema }) => `${role} may use schema ${schema}`));
  const past = await sql.query<{ role: string; name: string }>(RIGHTS_PAST_POLICIES, [[runtime, worker], [service]]);
  faults.push(...past.rows.map(({ role, name }) => `${role} holds rights on ${name} that no policy binds`));
  return faults;
}

export async function tenancyFaults(sql: CatalogReader, services: readonly string[]): Promise<string[]> {
  const [tables, policies] = await Promise.all([
    sql.query<TableRow>(TABLES, [services]),
    sql.query<PolicyRow>(POLICIES, [services]),
  ]);
  const faults = services
    .filter((service) => !tables.rows.some(({ schema }) => schema === service))
    .map((service) => `${service} has no tables`);
  for (const table of tables.rows) {
    const { owner, runtime } = rolesOf(table.schema);
    if (table.owner !== owner) faults.push(`${table.schema}.${table.name} belongs to ${table.owner}`);
    faults.push(...tableFaults(table, policies.rows, runtime));
  }
  for (const service of services) {
    const others = services.filter((other) => other !== service);
    faults.push(...(await roleFaults(sql, service, others)));
  }
  return faults;
}
