import { readFileSync } from 'node:fs';
import { CONTRACTS, type JsonSchema, openApi } from '@signalbox/contracts';

interface Operation {
  parameters?: { name: string; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

interface Schema {
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

const read = (file: string): string => readFileSync(new URL(`../../test/${file}`, import.meta.url), 'utf8');
const linesOf = (file: string): string[] =>
  read(file)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Names of path parameters are not compared. */
const nameless = (endpoint: string): string => endpoint.replaceAll(/\{[^}]*\}/g, '{}');
const operations = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [nameless(`${method.toUpperCase()} ${path}`), operation] as const,
    ),
  ),
);

/** Every schema that a schema may stand for: itself, what it refers to, its choices and the items of a list. */
function meant(schema: Schema, seen = new Set<Schema>()): Schema[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { $ref, anyOf = [], oneOf = [], allOf = [], items } = schema;
  const referred = $ref === undefined ? undefined : components.schemas[$ref.split('/').pop() ?? ''];
  const others = [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : []), ...(referred ? [referred] : [])];
  return [schema, ...others.flatMap((other) => meant(other, seen))];
}

/** The schemas of a field under a dotted name. */
function at(schemas: Schema[], name: string): Schema[] {
  return name
    .split('.')
    .reduce(
      (found, part) => found.flatMap((schema) => meant(schema)).flatMap(({ properties }) => properties?.[part] ?? []),
      schemas,
    );
}

/** The words of a closed set, null and constants of choices included. */
function wordsOf(schemas: Schema[]): string[] {
  const all = schemas.flatMap((schema) => meant(schema)).flatMap((schema) => schema.enum ?? schema.const ?? []);
  return [...new Set(all.filter((word) => word !== null).map(String))].sort();
}

function inputsOf({ parameters = [], requestBody }: Operation): Schema[] {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema as Schema);
  return [{ properties }, ...bodies];
}

const outputsOf = ({ responses }: Operation): Schema[] =>
  Object.values(responses['200']?.content ?? {}).flatMap(({ schema }) => {
    const { properties } = schema as Schema;
    return properties?.data ? [properties.data] : [schema as Schema];
  });

const RECORDS = JSON.parse(read('reference-records.json')) as Record<string, string[]>;

interface Line {
  /** A record, or the endpoints of a row and the direction. */
  subject: string;
  field: string;
  words: string | undefined;
}

function parsed(line: string): Line {
  const match = /^(.* [<>]) (\S+)(?: (\S+))?$/.exec(line) ?? /^(\w+)\.(\S+)(?: (\S+))?$/.exec(line) ?? [];
  const [, subject = '', field = '', words] = match;
  return { subject, field, words };
}

/** The schemas that a line is about; none when nothing of it is served. */
function schemasOf(subject: string): Schema[] {
  const served = (endpoint: string): Operation[] => {
    const operation = operations.get(nameless(endpoint));
    return operation ? [operation] : [];
  };
  if (!/ [<>]$/.test(subject))
    return (RECORDS[subject] ?? [subject]).flatMap((each) =>
      / /.test(each) ? served(each).flatMap(inputsOf) : (components.schemas[each] ?? []),
    );
  const own = subject.slice(0, -2).split(' + ').flatMap(served);
  return own.flatMap(subject.endsWith('<') ? inputsOf : outputsOf);
}

/** What is wrong with one line of the reference, null when the document has it. */
function difference(line: string): string | null {
  const { subject, field, words } = parsed(line);
  const schemas = schemasOf(subject);
  if (schemas.length === 0) return 'not served';
  const found = at(schemas, field);
  if (found.length === 0) return 'missing';
  const actual = wordsOf(found).join('|');
  const expected = words?.split('|').sort().join('|');
  return expected === undefined || expected === actual ? null : `is ${actual || 'open'}`;
}

const keyOf = (line: string): string => {
  const { subject, field } = parsed(line);
  return `${subject} ${field}`;
};

/** The lines of the reference; what a clarification says about a field replaces it. */
function reference(): string[] {
  const clarified = linesOf('reference-clarified.txt');
  const replaced = new Set(clarified.map(keyOf));
  return [...linesOf('reference.txt').filter((line) => !replaced.has(keyOf(line))), ...clarified];
}

describe('the fields and words of the API reference', () => {
  const results = reference().map((line) => ({ line, result: difference(line) }));
  const differences = results.filter(({ result }) => result !== null).map(({ line, result }) => `${line}: ${result}`);

  it('are in the document, except for those that are listed with a reason', () => {
    const listed = linesOf('reference-differences.txt').map((line) => line.split(' # ')[0] ?? '');
    expect(differences.filter((line) => !listed.includes(line))).toEqual([]);
    expect(listed.filter((line) => !differences.includes(line))).toEqual([]);
  });
});
