// Generates the commands of the command line: what each sends, for parsing, help and completion.

import { byFamily } from './schemas.mjs';

/** `signalbox <family> <verb> …` */
const wordsOf = ({ command }) => command.split(' ');
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

function commandOf({
  family,
  verb,
  method,
  path,
  summary,
  scope,
  fields,
  shape,
  streams,
  downloads,
  uploads,
  wholeBody,
  fileInsteadOf,
}) {
  return {
    family,
    verb,
    route: `${method} ${path}`,
    summary,
    ...(scope === 'none' || scope === 'any' ? {} : { scope }),
    ...(shape === 'data' ? {} : { shape }),
    ...(streams ? { streams: { [streams.field]: streams.value } } : {}),
    ...(downloads ? { downloads: { [downloads.field]: downloads.value } } : {}),
    ...(uploads ? { uploads } : {}),
    ...(fileInsteadOf ? { fileInsteadOf } : {}),
    ...(wholeBody === undefined ? {} : { wholeBody }),
    ...(fields.length === 0 ? {} : { fields: fields.map(fieldOf) }),
  };
}

/** The text of `apps/cli/commands.json`: families, verbs, commands; one line per command, so that differences are readable. */
export function commandsFile({ operations }) {
  const families = [...byFamily(operations).values()].map((own) => {
    const verbs = own.map((each) => `    ${JSON.stringify(wordsOf(each)[2])}: ${JSON.stringify(commandOf(each))}`);
    return `  ${JSON.stringify(wordsOf(own[0])[1])}: {\n${verbs.join(',\n')}\n  }`;
  });
  return `{\n${families.join(',\n')}\n}\n`;
}
