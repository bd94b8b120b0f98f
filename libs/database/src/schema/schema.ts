import type { LargeTableIndex } from './large-table-indexes.js';

/** Epoch milliseconds of the database clock. */
export const NOW_MS = `(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** At the start of the statement. For conditions: `NOW_MS` is volatile, so comparisons with it use no index. */
export const STATEMENT_MS = `(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/** Null when none is set, so that no row is visible. */
export const CURRENT_COMPANY = `NULLIF(current_setting('app.company', true), '')::int`;

/** The roles of a service: the owner migrates, the runtime role serves, the worker role can read only queue rows. */
export function rolesOf(service: string): { owner: string; runtime: string; worker: string } {
  const runtime = `svc_${service.replaceAll('-', '_')}`;
  return { owner: `${runtime}_owner`, runtime, worker: `${runtime}_worker` };
}

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

export function openToWorker(service: string, table: string, rights: string): string[] {
  const { worker } = rolesOf(service);
  return [
    `CREATE POLICY worker ON "${service}".${table} TO ${worker} USING (true) WITH CHECK (true)`,
    `GRANT ${rights} ON "${service}".${table} TO ${worker}`,
  ];
}

/**
 * Statements for a tenant table: primary key `(company_id, id)`, so that references cannot cross companies, dates,
 * logical delete, and protection.
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

export function versionTables(service: string, prefix: string, parent: string, parentColumn: string): string[] {
  const s = `"${service}"`;
  const child = `${parentColumn} int NOT NULL`;
  const toParent = `FOREIGN KEY (company_id, ${parentColumn}) REFERENCES ${s}.${parent} (company_id, id)`;
  return [
    ...tenantTable(
      service,
      `${prefix}_versions`,
      [
        child,
        'version_number text NOT NULL',
        'is_latest boolean NOT NULL',
        `version_notes text NOT NULL DEFAULT ''`,
        'snapshot jsonb NOT NULL',
        `UNIQUE (company_id, ${parentColumn}, version_number)`,
        toParent,
      ],
      [
        `CREATE UNIQUE INDEX ${prefix}_versions_latest ON ${s}.${prefix}_versions (company_id, ${parentColumn}) WHERE is_latest`,
        // A published version never changes: only the mark of the latest one may move.
        `REVOKE UPDATE, DELETE ON ${s}.${prefix}_versions FROM ${rolesOf(service).runtime}`,
        `GRANT UPDATE (is_latest) ON ${s}.${prefix}_versions TO ${rolesOf(service).runtime}`,
      ],
    ),
    ...tenantTable(
      service,
      `${prefix}_releases`,
      [
        child,
        'name text NOT NULL',
        'version_id int NOT NULL',
        'is_default boolean NOT NULL DEFAULT false',
        'gate_policy jsonb',
        `moved_at bigint NOT NULL DEFAULT ${NOW_MS}`,
        'moved_by_key_id int',
        toParent,
        `FOREIGN KEY (company_id, version_id) REFERENCES ${s}.${prefix}_versions (company_id, id)`,
      ],
      [
        `CREATE UNIQUE INDEX ${prefix}_releases_name ON ${s}.${prefix}_releases (company_id, ${parentColumn}, name) WHERE deleted_at IS NULL`,
        `CREATE UNIQUE INDEX ${prefix}_releases_default ON ${s}.${prefix}_releases (company_id, ${parentColumn}) WHERE is_default AND deleted_at IS NULL`,
      ],
    ),
    ...tenantTable(
      service,
      `${prefix}_release_moves`,
      [
        child,
        // Null for a move of a deleted release that is older than the column.
        'release_id int',
        'release_name text NOT NULL',
        'from_version text',
        'to_version text NOT NULL',
        'gate_result jsonb',
        'override_reason text',
        'key_id int',
        toParent,
      ],
      [
        `CREATE INDEX ${prefix}_release_moves_of ON ${s}.${prefix}_release_moves (company_id, ${parentColumn}, release_name, id)`,
      ],
    ),
  ];
}

export function linkReleaseMoves(service: string, prefix: string, parentColumn: string): string[] {
  const moves = `"${service}".${prefix}_release_moves`;
  const releases = `"${service}".${prefix}_releases`;
  return [
    `ALTER TABLE ${moves} ADD COLUMN IF NOT EXISTS release_id int`,
    // The owner migrates rows of every company, which forced row security hides even from the owner.
    ...[moves, releases].map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`),
    `UPDATE ${moves} m SET release_id = r.id FROM ${releases} r
     WHERE r.company_id = m.company_id AND r.${parentColumn} = m.${parentColumn} AND r.name = m.release_name
       AND r.deleted_at IS NULL`,
    ...[moves, releases].map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`),
    `CREATE INDEX ${prefix}_release_moves_of_release ON ${moves} (company_id, release_id, id)`,
  ];
}

export const mcpReleases = (service: string, prefix: string): string =>
  `ALTER TABLE "${service}".${prefix}_releases ADD COLUMN mcp_enabled boolean NOT NULL DEFAULT false`;

/** A partial index, because few releases are MCP tools. */
export const mcpReleasesIndex = (service: string, prefix: string): LargeTableIndex => ({
  name: `${prefix}_releases_mcp`,
  on: `"${service}".${prefix}_releases (company_id, id) WHERE mcp_enabled AND deleted_at IS NULL`,
});

export const deletedGatesIndex = (service: string, prefix: string, parentColumn: string): string =>
  `CREATE INDEX ${prefix}_releases_deleted_gates ON "${service}".${prefix}_releases (company_id, ${parentColumn}, name)
   WHERE deleted_at IS NOT NULL AND gate_policy IS NOT NULL`;
