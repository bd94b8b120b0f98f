import type { Client } from 'pg';
import { withClient } from '../require-database.js';
import { allMigrationsOf, type Migration, nameOfMigration } from './migrate.js';

/** A process retries until the migrations have run. */
class SchemaNotReady extends Error {
  override name = 'SchemaNotReady';
}

export type Requirements = string[];

/**
 * Reads, with the role of a service, whether all migrations of this code have run, and throws until then; later ones do
 * not matter. Returns the requirements of the schema.
 */
export function requireMigrations(url: string, schema: Migration): Promise<Requirements> {
  return withClient(url, async (client) => {
    const known = allMigrationsOf(schema).map(nameOfMigration);
    const { run, required } = await readSchema(client, schema.service);
    const missing = known.filter((name) => !run.has(name));
    if (missing.length > 0 && !required.some((name) => !known.includes(name)))
      throw new SchemaNotReady(
        `the schema of ${schema.service} lacks ${missing.length} migrations up to ${missing.at(-1)}`,
      );
    return required;
  });
}

async function readSchema(client: Client, service: string): Promise<{ run: Set<string>; required: Requirements }> {
  const names = async (table: string): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>(`SELECT name FROM "${service}".${table}`);
    return rows.map(({ name }) => name);
  };
  try {
    return { run: new Set(await names('migrations')), required: await names('schema_requirements') };
  } catch (error) {
    // The schema or a table does not exist yet, or is not readable before the migrations of this release.
    if (!['3F000', '42P01', '42501'].includes((error as { code?: string }).code ?? '')) throw error;
    throw new SchemaNotReady(`the schema of ${service} is not migrated`, { cause: error });
  }
}

/** Throws when a schema has had a breaking migration that this code does not know. */
export function requireKnown(schema: Migration, required: Requirements): void {
  const known = allMigrationsOf(schema).map(nameOfMigration);
  const unknown = required.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `the schema of ${schema.service} was migrated by a later release that this one cannot serve with: it needs ${unknown.join(', ')}. Start that release, or restore the backup from before the update`,
    );
}
