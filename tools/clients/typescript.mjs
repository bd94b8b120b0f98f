// Generates the types and the table of operations of the TypeScript client.

import { byFamily, inputName, namedSchemas, pascal, refName, remarksOn } from './schemas.mjs';

const HEADER = '// Generated from the contracts by tools/openapi.mjs; changes belong there.\n\n';
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const comment = (text, indent = '') => (text ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : '');
const key = (name) => (IDENTIFIER.test(name) ? name : JSON.stringify(name));
const union = (types) => [...new Set(types)].join(' | ');
const grouped = (type) => (type.includes(' | ') || type.includes(' & ') ? `(${type})` : type);

/** A JSON schema as a TypeScript type. */
function typeOf(schema) {
  if (schema.$ref) return refName(schema);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && !schema.properties) return union(choices.map(typeOf));
  if (schema.allOf) return schema.allOf.map((part) => grouped(typeOf(part))).join(' & ');
  if (schema.type === 'array') return `${grouped(typeOf(schema.items ?? {}))}[]`;
  if (schema.type === 'object') return objectType(schema);
  return (
    { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[schema.type] ??
    'unknown'
  );
}

function objectType({ properties, required = [], additionalProperties }) {
  if (!properties || Object.keys(properties).length === 0) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${value}>`;
  }
  const members = Object.entries(properties).map(
    ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  if (additionalProperties === true) members.push('[key: string]: unknown');
  return `{ ${members.join('; ')} }`;
}

function members(fields, open = false) {
  const lines = fields.map(
    ({ name, required, schema }) =>
      `${comment(remarksOn(schema), '  ')}  ${key(name)}${required ? '' : '?'}: ${typeOf(schema)};\n`,
  );
  return `${lines.join('')}${open ? '  [key: string]: unknown;\n' : ''}`;
}

function declaration([name, schema]) {
  const isInterface = schema.type === 'object' && schema.properties && !schema.oneOf && !schema.anyOf;
  if (!isInterface) return `export type ${name} = ${typeOf(schema)};\n`;
  const { required = [], properties } = schema;
  const fields = Object.entries(properties).map(([field, type]) => ({
    name: field,
    required: required.includes(field),
    schema: type,
  }));
  return `export interface ${name} {\n${members(fields, schema.additionalProperties === true)}}\n`;
}

const FILE_FIELDS = (types) => `  /** The content of the file. */
  file: string | Uint8Array | Blob | ReadableStream<Uint8Array>;
  /** Default: ${JSON.stringify(types[0])}. */
  media_type?: ${union(types.map((type) => JSON.stringify(type)))};
`;

const FORM_FILE = (other) => `  /** The content of the file, in place of ${other}. */
  file?: string | Uint8Array | Blob;
`;

/** The fields of a call; a body that is one field may be any JSON. */
function inputType(operation) {
  const { fields, uploads, wholeBody, open } = operation;
  const own = fields.filter(({ name }) => !(name === 'last_event_id' && operation.shape === 'stream'));
  const body = wholeBody === undefined ? '' : `  ${wholeBody}: unknown;\n`;
  const file = uploads ? FILE_FIELDS(uploads) : operation.fileInsteadOf ? FORM_FILE(operation.fileInsteadOf) : '';
  return `${members(own, open)}${body}${file}`;
}

const CHUNK = 'ChatCompletionChunk';

function replyType({ shape, reply }) {
  if (shape === 'file') return 'Promise<Download>';
  if (shape === 'page') return `PagedList<${typeOf(reply)}>`;
  if (shape === 'stream') return `EventStream<${typeOf(reply)}>`;
  return `Promise<${typeOf(reply)}>`;
}

function streamType({ streams }) {
  return streams.event ? `EventStream<${typeOf(streams.event)}>` : `CompletionStream<${CHUNK}>`;
}

function method(operation) {
  const { verb, fields, streams, downloads, shape, summary, scope, deprecated } = operation;
  const content = inputType(operation);
  const optional =
    content === '' || !(fields.some(({ required }) => required) || operation.uploads || operation.wholeBody);
  const input = content === '' ? 'Record<string, never>' : inputName(operation);
  const options = shape === 'stream' ? 'StreamOptions' : 'CallOptions';
  const about = `${summary}. ${scope === 'none' || scope === 'any' ? '' : `Scope: ${scope}.`}${deprecated ? ' @deprecated' : ''}`;
  const file = downloads
    ? `  ${verb}(input: ${input} & { ${downloads.field}: ${JSON.stringify(downloads.value)} }, options?: ${options}): Promise<Download>;\n`
    : '';
  const overload = streams
    ? `  ${verb}(input: ${input} & { ${streams.field}: ${JSON.stringify(streams.value)} }, options?: StreamOptions): ${streamType(operation)};\n`
    : '';
  return `${comment(about.trim(), '  ')}${overload}${file}  ${verb}(input${optional ? '?' : ''}: ${input}, options?: ${options}): ${replyType(operation)};\n`;
}

const CHUNK_TYPE = `/** One chunk of a streamed chat completion; the last one carries the additions of the platform. */
export interface ${CHUNK} {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: {
    index: number;
    delta: { role?: string; content?: string | null; tool_calls?: unknown[] };
    finish_reason: string | null;
  }[];
  usage?: Usage | null;
  request_id?: string;
  session_id?: string;
  [key: string]: unknown;
}
`;

/** The module of all data types. */
export function typesModule(document) {
  const inputs = document.operations
    .map((operation) => [operation, inputType(operation)])
    .filter(([, content]) => content !== '')
    .map(([operation, content]) => `export interface ${inputName(operation)} {\n${content}}\n`);
  return `${HEADER}${[...namedSchemas(document).map(declaration), CHUNK_TYPE, ...inputs].join('\n')}`;
}

/** The module of the methods of every family. */
export function familiesModule({ operations }) {
  const families = [...byFamily(operations)];
  const interfaces = families.map(
    ([family, own]) => `export interface ${pascal(family)}Api {\n${own.map(method).join('')}}\n`,
  );
  const all = families.map(([family]) => `  ${family}: ${pascal(family)}Api;\n`).join('');
  const text = `${interfaces.join('\n')}\n/** Every family by its name. */\nexport interface Families {\n${all}}\n`;
  const names = [...new Set(text.match(/\b[A-Z]\w+/g))];
  const used = (candidates) => candidates.filter((name) => names.includes(name));
  const runtime = used(['CompletionStream', 'Download', 'EventStream', 'PagedList']);
  const modules = {
    CompletionStream: 'completion-stream',
    Download: 'download',
    EventStream: 'event-stream',
    PagedList: 'pages',
  };
  return `${HEADER}${runtime.map((name) => `import type { ${name} } from '../${modules[name]}.js';\n`).join('')}import type { CallOptions, StreamOptions } from '../options.js';
import type * as types from './types.js';

${qualified(text, runtime)}`;
}

/** Types of the data are members of the namespace \`types\`: an import list of hundreds of names says nothing. */
function qualified(text, runtime) {
  const own = new Set([...runtime, 'CallOptions', 'StreamOptions', 'Promise', 'Record', 'Families']);
  return text.replace(/^( {2}\w+\().*$/gm, (line) =>
    line.replace(/(?<=[<:&|(] ?)\b([A-Z]\w+)/g, (name) => (own.has(name) ? name : `types.${name}`)),
  );
}

function tableLine({ method: verb, path, shape, streams, wholeBody, uploads, fileInsteadOf, downloads }) {
  return [
    verb,
    path,
    ...(shape === 'data' ? [] : [shape]),
    ...(streams ? [`stream=${streams.field}:${streams.value}`] : []),
    ...(downloads ? [`download=${downloads.field}:${downloads.value}`] : []),
    ...(wholeBody === undefined ? [] : [`body=${wholeBody}`]),
    ...(uploads ? [`file=${uploads.join(',')}`] : []),
    ...(fileInsteadOf ? ['form'] : []),
  ].join(' ');
}

/** The table of operations: family, verb, and what is sent and read. */
export function operationsModule({ operations }) {
  const families = [...byFamily(operations)].map(
    ([family, own]) =>
      `  ${family}: {\n${own.map((each) => `    ${each.verb}: ${JSON.stringify(tableLine(each))},\n`).join('')}  },\n`,
  );
  return `${HEADER}export const OPERATIONS: Record<string, Record<string, string>> = {\n${families.join('')}};\n`;
}
