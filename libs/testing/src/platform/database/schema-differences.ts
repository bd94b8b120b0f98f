import { INFRASTRUCTURE_ENTITIES } from '@signalbox/database';
import { DataSource, type EntityTarget, type ObjectLiteral } from 'typeorm';

/** Statements of TypeORM that are no differences. */
const EXCLUDED: { statement: RegExp; reason: string }[] = [
  {
    statement: / DROP CONSTRAINT "\w+_check\d*"$/,
    reason: 'TypeORM compares checks by name only; migrations define them',
  },
  { statement: / DROP CONSTRAINT "\w+_fkey"$/, reason: 'foreign keys are composite and need no relations of entities' },
  {
    statement: / "traffic"\."(request_rollups|request_series|wandering_places)" ADD CONSTRAINT "PK_\w+" PRIMARY KEY /,
    reason: 'the keys of these tables hold nulls, so they are unique indexes, and TypeORM requires a primary key',
  },
];

const WITHOUT_ENTITY: Record<string, string> = {
  migrations: 'TypeORM owns it',
  schema_requirements: 'read before TypeORM is loaded',
  typeorm_metadata: 'exists only for the comparison',
};

const OPTIONAL_INDEXES: Record<string, string> = {
  work_held: 'only services whose processes hold secrets have it',
};

/** TypeORM reads expressions of generated columns from a table that it fills only when it migrates. */
const GENERATED_COLUMNS = (schema: string): string =>
  `CREATE TABLE "${schema}".typeorm_metadata AS
   SELECT 'GENERATED_COLUMN' AS type, table_catalog::text AS database, table_schema::text AS schema,
     table_name::text AS "table", column_name::text AS name, generation_expression::text AS value
   FROM information_schema.columns WHERE is_generated = 'ALWAYS' AND table_schema = '${schema}'`;

/**
 * Defaults are not compared: TypeORM would return each declared one from every insert. They are dropped and not
 * excluded, because a column with a difference takes its indexes along.
 */
const DROP_DEFAULTS = (schema: string): string =>
  `DO $$ DECLARE c record; BEGIN
     FOR c IN SELECT attrelid::regclass AS name, attname FROM pg_attribute
       JOIN pg_class t ON t.oid = attrelid AND t.relnamespace = '"${schema}"'::regnamespace AND NOT t.relispartition
       WHERE t.relkind IN ('r', 'p') AND attnum > 0 AND atthasdef AND attgenerated = ''
     LOOP EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP DEFAULT', c.name, c.attname); END LOOP;
   END $$`;

async function names(source: DataSource, sql: string): Promise<string[]> {
  const rows: { name: string }[] = await source.query(sql);
  return rows.map(({ name }) => name);
}

async function unnamed(source: DataSource, schema: string): Promise<string[]> {
  const tables = await names(
    source,
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = '"${schema}"'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  );
  const indexes = await names(source, `SELECT indexname AS name FROM pg_indexes WHERE schemaname = '${schema}'`);
  const declared = source.entityMetadatas.flatMap(({ indices }) => indices.map(({ name }) => name));
  const entities = new Set(source.entityMetadatas.map(({ tableName }) => tableName));
  return [
    ...tables.filter((name) => !entities.has(name) && !(name in WITHOUT_ENTITY)).map((name) => `${name} has no entity`),
    ...declared
      .filter((name) => !indexes.includes(name) && !(name in OPTIONAL_INDEXES))
      .map((name) => `${name} is declared by an entity and does not exist`),
  ];
}

/**
 * The statements with which TypeORM would change the schema, tables without an entity, and declared indexes that do not
 * exist. Drops the defaults of the schema.
 */
export async function schemaDifferences(
  adminUrl: string,
  schema: string,
  entities: readonly EntityTarget<ObjectLiteral>[],
): Promise<string[]> {
  const source = new DataSource({
    type: 'postgres',
    url: adminUrl,
    schema,
    entities: [...INFRASTRUCTURE_ENTITIES, ...entities] as never[],
  });
  await source.initialize();
  try {
    await source.query(GENERATED_COLUMNS(schema));
    await source.query(DROP_DEFAULTS(schema));
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    const statements = upQueries.map(({ query }) => query);
    const differences = statements.filter((text) => !EXCLUDED.some(({ statement }) => statement.test(text)));
    return [...differences, ...(await unnamed(source, schema))];
  } finally {
    await source.destroy();
  }
}
