import {
  componentSchemas,
  inputsOf,
  linesOf,
  meant,
  nameless,
  type Operation,
  operations,
  outputsOf,
  parsedLine,
  read,
  type Schema,
  wordsOf,
} from './served-document.js';

/** The schemas of a field under a dotted name. */
function at(schemas: Schema[], name: string): Schema[] {
  return name
    .split('.')
    .reduce(
      (found, part) => found.flatMap((schema) => meant(schema)).flatMap(({ properties }) => properties?.[part] ?? []),
      schemas,
    );
}

const RECORDS = JSON.parse(read('reference-records.json')) as Record<string, string[]>;

/** The schemas that a line is about; none when nothing of it is served. */
function schemasOf(subject: string): Schema[] {
  const served = (endpoint: string): Operation[] => {
    const operation = operations.get(nameless(endpoint));
    return operation ? [operation] : [];
  };
  if (!/ [<>]$/.test(subject))
    return (RECORDS[subject] ?? [subject]).flatMap((each) =>
      / /.test(each) ? served(each).flatMap(inputsOf) : (componentSchemas[each] ?? []),
    );
  const own = subject.slice(0, -2).split(' + ').flatMap(served);
  return own.flatMap(subject.endsWith('<') ? inputsOf : outputsOf);
}

/** What is wrong with one line of the reference, null when the document has it. */
function difference(line: string): string | null {
  const { subject, field, words } = parsedLine(line);
  const schemas = schemasOf(subject);
  if (schemas.length === 0) return 'not served';
  const found = at(schemas, field);
  if (found.length === 0) return 'missing';
  const actual = wordsOf(found).join('|');
  const expected = words?.split('|').sort().join('|');
  return expected === undefined || expected === actual ? null : `is ${actual || 'open'}`;
}

const keyOf = (line: string): string => {
  const { subject, field } = parsedLine(line);
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
