// Generates the commands of the command line: what each sends, for parsing, help and completion.

import { byFamily, refName } from './schemas.mjs';

/** `signalbox <family> <verb> …` */
const wordsOf = ({ command }) => command.split(' ');
/** What a deletion destroys for ever; other deletions only hide a record. */
const HARD_DELETES = {
  'DELETE /unified-test-runs/{id}': 'the test run, its items and scores',
  'DELETE /test-runs/{id}': 'the test run, its items and scores',
  'DELETE /requests/{request_id}': 'the messages and the answer of the request',
  'DELETE /sessions/{session_id}': 'the messages and answers of the session',
};
const SCALARS = ['integer', 'number', 'boolean', 'string'];

/** The schema without the choice of null. */
function notNull(schema) {
  const choices = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return choices.length === 1 ? choices[0] : schema;
}

function typeOf(schema) {
  const { type, items, enum: words } = notNull(schema);
  if (words?.every((word) => typeof word === 'string' || word === null))
    return { type: 'string', words: words.filter(Boolean) };
  if (type === 'array' && (SCALARS.includes(items?.type) || items?.enum))
    return { type: 'list', items: items.type ?? 'string', ...(items.enum ? { words: items.enum } : {}) };
  return { type: SCALARS.includes(type) ? type : 'json' };
}

function fieldOf({ name, in: where, required, schema }) {
  const { description, default: value } = schema;
  return {
    name,
    in: where,
    ...typeOf(schema),
    ...(required ? { required } : {}),
    ...(notNull(schema) === schema ? {} : { nullable: true }),
    ...(value === undefined ? {} : { default: value }),
    ...(description ? { about: description } : {}),
  };
}

/** The fields of a record of a page. */
const columnsOf = (reply, schemas) => Object.keys((schemas[refName(reply)] ?? reply).properties ?? {});

function commandOf(
  {
    family,
    verb,
    method,
    path,
    summary,
    scope,
    fields,
    shape,
    reply,
    streams,
    downloads,
    uploads,
    wholeBody,
    fileInsteadOf,
  },
  positions,
  schemas,
) {
  const route = `${method} ${path}`;
  return {
    family,
    verb,
    route,
    summary,
    ...(scope === 'none' || scope === 'any' ? {} : { scope }),
    ...(shape === 'data' ? {} : { shape }),
    ...(streams ? { streams: { [streams.field]: streams.value } } : {}),
    ...(downloads ? { downloads: { [downloads.field]: downloads.value } } : {}),
    ...(uploads ? { uploads } : {}),
    ...(fileInsteadOf ? { fileInsteadOf } : {}),
    ...(wholeBody === undefined ? {} : { wholeBody }),
    ...(HARD_DELETES[route] === undefined ? {} : { destroys: HARD_DELETES[route] }),
    ...(positions.length === 0 ? {} : { positions }),
    ...(fields.length === 0 ? {} : { fields: fields.map(fieldOf) }),
    ...(shape === 'page' ? { columns: columnsOf(reply, schemas) } : {}),
  };
}

/** The text of `apps/cli/commands.json`: families, verbs, commands; one line per command, so that differences are readable. */
export function commandsFile({ operations, schemas }, positions) {
  const routes = operations.map(({ method, path }) => `${method} ${path}`);
  const unknown = Object.keys(HARD_DELETES).filter((route) => !routes.includes(route));
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}`);
  const families = [...byFamily(operations).values()].map((own) => {
    const verbs = own.map(
      (each) =>
        `    ${JSON.stringify(wordsOf(each)[2])}: ${JSON.stringify(commandOf(each, positions[wordsOf(each).slice(1, 3).join(' ')], schemas))}`,
    );
    return `  ${JSON.stringify(wordsOf(own[0])[1])}: {\n${verbs.join(',\n')}\n  }`;
  });
  return `{\n${families.join(',\n')}\n}\n`;
}
