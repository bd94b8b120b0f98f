import { readFileSync } from 'node:fs';
import { CONTRACTS, type JsonSchema } from '@signalbox/contracts';
import { openApi } from '@signalbox/openapi';

/** An operation of the served document. */
export interface Operation {
  parameters?: { name: string; in: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

/** A schema of the served document. */
export interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

const { paths, components } = openApi(CONTRACTS) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** The schemas of the document by their names. */
export const { schemas: componentSchemas } = components;

/** The text of a file next to this one. */
export const read = (file: string): string => readFileSync(new URL(`../../test/${file}`, import.meta.url), 'utf8');

/** The lines of a list, without comments. */
export const linesOf = (file: string): string[] =>
  read(file)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Names of path parameters are not compared. */
export const nameless = (endpoint: string): string => endpoint.replaceAll(/\{[^}]*\}/g, '{}');

/** The operations of the document by method and path. */
export const operations = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [nameless(`${method.toUpperCase()} ${path}`), operation] as const,
    ),
  ),
);

/** Every schema that a schema may stand for: itself, what it refers to, its choices and the items of a list. */
export function meant(schema: Schema, seen = new Set<Schema>()): Schema[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { $ref, anyOf = [], oneOf = [], allOf = [], items } = schema;
  const referred = $ref === undefined ? undefined : componentSchemas[$ref.split('/').pop() ?? ''];
  const others = [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : []), ...(referred ? [referred] : [])];
  return [schema, ...others.flatMap((other) => meant(other, seen))];
}

/** The words of a closed set, null and constants of choices included. */
export function wordsOf(schemas: Schema[]): string[] {
  const all = schemas.flatMap((schema) => meant(schema)).flatMap((schema) => schema.enum ?? schema.const ?? []);
  return [...new Set(all.filter((word) => word !== null).map(String))].sort();
}

/** The schemas of what an operation takes. */
export function inputsOf({ parameters = [], requestBody }: Operation): Schema[] {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema as Schema);
  return [{ properties }, ...bodies];
}

/** The schemas of what an operation returns, without the envelope. */
export const outputsOf = ({ responses }: Operation): Schema[] =>
  Object.values(responses['200']?.content ?? {}).flatMap(({ schema }) => {
    const { properties } = schema as Schema;
    return properties?.data ? [properties.data] : [schema as Schema];
  });

/** A line of the reference. */
export interface ReferenceLine {
  /** A record, or the endpoints of a row and the direction. */
  subject: string;
  field: string;
  words: string | undefined;
}

/** Reads a line of the reference. */
export function parsedLine(line: string): ReferenceLine {
  const match = /^(.* [<>]) (\S+)(?: (\S+))?$/.exec(line) ?? /^(\w+)\.(\S+)(?: (\S+))?$/.exec(line) ?? [];
  const [, subject = '', field = '', words] = match;
  return { subject, field, words };
}
