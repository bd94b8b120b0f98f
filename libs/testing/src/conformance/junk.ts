import {
  type Class,
  type Endpoint,
  type Field,
  fieldsOf,
  fromText,
  hasBody,
  pathParameters,
  takesOnlyFile,
} from '@signalbox/contracts';

export interface Junk {
  field: string;
  value: unknown;
}

const CANDIDATES: readonly unknown[] = [
  { unexpected: true },
  [[['deep']]],
  7.25,
  -7,
  true,
  'a\0b',
  '\ud800',
  'x'.repeat(20_001),
  'not one of them!',
  null,
];
const TEXTS = ['not one of them!', '-7', '7.25', 'x'.repeat(500), 'true', '{}', '1e3'];
const EACH = 3;
/** Below the number of problems that a reply names. */
const AT_ONCE = 40;

const isBad = (field: Field, value: unknown): boolean =>
  value === null ? !field.nullable : field.type.problem(field.type.normalise?.(value) ?? value) !== undefined;

const inPath = (endpoint: Endpoint): Set<string> => new Set(pathParameters(endpoint.path));

/** Up to 3 values per field that its declaration refuses, derived from the field types alone. */
function junkFor(endpoint: Endpoint): Junk[][] {
  const path = inPath(endpoint);
  const body = hasBody(endpoint);
  return [...fieldsOf(endpoint.input).values()].map((field) => {
    // A file has no fields.
    if (takesOnlyFile(endpoint) && !path.has(field.name)) return [];
    const asText = path.has(field.name) || !body;
    const values = asText
      ? TEXTS.filter((text) => isBad(field, fromText(endpoint.input, field.name, text)))
      : CANDIDATES.filter((value) => isBad(field, value));
    return values.slice(0, EACH).map((value) => ({ field: field.name, value }));
  });
}

/** Hostile text is refused while the body is scanned, before its field is known. */
export const isScanned = ({ value }: Junk): boolean => value === 'a\0b' || value === '\ud800';

const chunks = (junk: readonly Junk[]): Junk[][] =>
  Array.from({ length: Math.ceil(junk.length / AT_ONCE) }, (_, at) => junk.slice(at * AT_ONCE, (at + 1) * AT_ONCE));

/** Each request has a bad value in many fields, many fields that do not exist, or one hostile text. */
export function badRequestsFor(endpoint: Endpoint): Junk[][] {
  const perField = junkFor(endpoint);
  const scanned = perField.flat().filter(isScanned);
  const rounds = Array.from({ length: EACH }, (_, round) =>
    perField.flatMap((junk) => junk.filter((each) => !isScanned(each)).slice(round, round + 1)),
  );
  const unknown = unknownFieldsFor(endpoint).map((field) => ({ field, value: 1 }));
  return [...scanned.map((junk) => [junk]), ...[...rounds, unknown].flatMap(chunks)];
}

function unknownFieldsFor(endpoint: Endpoint): string[] {
  const known = fieldsOf(endpoint.input);
  // An input that accepts undeclared keys has no unknown fields.
  if ([...known.values()].some((field) => field.rest)) return [];
  const { output } = endpoint;
  if (endpoint.bodyField || takesOnlyFile(endpoint)) return [];
  const shown = 'kind' in output ? [] : [...fieldsOf(output as Class).keys()];
  const owned = [
    'id',
    'company_id',
    'date_created',
    'date_updated',
    'deleted_at',
    'is_latest',
    'version_number',
    'nobody_knows_me',
  ];
  return [...new Set([...shown, ...owned])].filter((name) => !known.has(name));
}
