import {
  componentSchemas,
  inputsOf,
  linesOf,
  meant,
  type Operation,
  operations,
  outputsOf,
  parsedLine,
  type Schema,
  wordsOf,
} from './served-document.js';

/** The names of fields that the reference uses anywhere, each with every word that a field of this name may have. */
const known = new Map<string, Set<string>>();
for (const line of [...linesOf('reference.txt'), ...linesOf('reference-clarified.txt')]) {
  const { field, words } = parsedLine(line);
  const parts = field.split('.');
  for (const part of parts) if (!known.has(part)) known.set(part, new Set());
  for (const word of words?.split('|') ?? []) known.get(parts.at(-1) ?? '')?.add(word);
}

const componentNames = new Map(Object.entries(componentSchemas).map(([name, schema]) => [schema, name]));

/** Every field that is served, once for each schema, with its closed set of words. */
function* fieldsBelow(schema: Schema, place: string, seen: Set<Schema>): Generator<[string, string, string[]]> {
  for (const each of meant(schema)) {
    if (seen.has(each)) continue;
    seen.add(each);
    const name = componentNames.get(each);
    for (const [field, of] of Object.entries(each.properties ?? {})) {
      yield [name === undefined ? `${place} ${field}` : `${name}.${field}`, field, wordsOf([of])];
      yield* fieldsBelow(of, `${place} ${field}`, seen);
    }
    if (typeof each.additionalProperties === 'object') yield* fieldsBelow(each.additionalProperties, place, seen);
  }
}

function served(): [string, string, string[]][] {
  const seen = new Set<Schema>();
  return [...operations].flatMap(([endpoint, operation]) => [
    ...inputsOf(operation)
      .flatMap((schema) => [...fieldsBelow(schema, `${endpoint} <`, seen)])
      .filter(([, name]) => !isConvention(operation, name)),
    ...outputsOf(operation).flatMap((schema) => [...fieldsBelow(schema, `${endpoint} >`, seen)]),
  ]);
}

/** Parameters of the path and headers are those of the endpoint, which another test compares; every list can be sorted. */
const isConvention = (operation: Operation, name: string): boolean =>
  name === 'sort' || (operation.parameters ?? []).some((each) => each.name === name && each.in !== 'query');

/** What is served and the reference does not name: places of fields, and words of fields with a name, each once. */
function additions(): string[] {
  const places = new Set<string>();
  const wordsByName = new Map<string, Set<string>>();
  for (const [place, field, words] of served()) {
    const named = known.get(field);
    if (!named) places.add(place);
    const others = words.filter((word) => named && !named.has(word));
    for (const word of others) wordsByName.set(field, (wordsByName.get(field) ?? new Set()).add(word));
  }
  const added = [...wordsByName].map(([field, words]) => `${field} = ${[...words].sort().join('|')}`);
  return [...places, ...added];
}

describe('what is served beyond the API reference', () => {
  it('is listed with a reason', () => {
    const listed = linesOf('reference-additions.txt').map((line) => line.split(' # '));
    expect(listed.filter(([, reason]) => !reason)).toEqual([]);
    const names = listed.map(([name = '']) => name);
    const found = additions();
    expect({ unlisted: found.filter((name) => !names.includes(name)) }).toEqual({ unlisted: [] });
    expect({ stale: names.filter((name) => !found.includes(name)) }).toEqual({ stale: [] });
  });
});
