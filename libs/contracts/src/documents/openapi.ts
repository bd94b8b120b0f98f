import { type Contract, type Endpoint, pathParameters } from '../contract.js';
import { type Output } from '../contract/outputs.js';
import { errorStatuses, hasBody } from '../error-replies.js';
import type { JsonSchema } from '../fields/field-types.js';
import { UPLOAD_TYPES } from '../uploads.js';
import { type Field, fieldsOf } from '../fields/fields.js';
import { SchemaComponents } from './schema-components.js';

function content(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}

function replySchema(output: Output, components: SchemaComponents, enveloped: boolean): JsonSchema {
  const wrap = (data: JsonSchema, more: JsonSchema = {}): JsonSchema =>
    enveloped ? { type: 'object', properties: { data, ...more }, required: ['data', ...Object.keys(more)] } : data;
  if (!('kind' in output)) return wrap(components.ref(output));
  if (output.kind === 'list') return wrap({ type: 'array', items: components.ref(output.of) });
  if (output.kind === 'page')
    return wrap(
      { type: 'array', items: components.ref(output.of) },
      { pagination: { $ref: '#/components/schemas/Pagination' } },
    );
  return {};
}

const contentOf = (types: readonly string[]): JsonSchema => ({
  description: 'The content',
  content: Object.fromEntries(types.map((type) => [type, { schema: {} }])),
});

function success({ output, shape, downloadWhen }: Endpoint, components: SchemaComponents): JsonSchema {
  if ('kind' in output && output.kind === 'stream')
    return {
      description: 'A stream of events',
      content: { 'text/event-stream': { schema: components.ref(output.of) } },
    };
  if ('kind' in output && output.kind === 'raw') return contentOf([output.contentType]);
  if ('kind' in output && output.kind === 'chunks') return contentOf(output.contentTypes ?? []);
  const json = content(replySchema(output, components, shape !== 'openai'));
  const file = downloadWhen ? { [downloadWhen.contentType]: { schema: {} } } : {};
  return { description: 'Success', content: { ...json, ...file } };
}

const REASONS: Record<number, string> = {
  400: 'Not valid',
  401: 'No company identity',
  403: 'The key lacks the scope',
  404: 'Not found',
  409: 'Conflict',
  413: 'Too large',
  415: 'Not JSON',
  422: 'Refused',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Unforeseen error',
  502: 'Bad upstream',
  503: 'Unavailable',
  504: 'Timed out',
};

const KEY_REASONS: Record<number, string> = {
  409: 'A call with the same idempotency key is in progress',
  422: 'The idempotency key was used with another body',
};

function errorReplies(endpoint: Endpoint): JsonSchema {
  const own = errorStatuses(endpoint, false);
  return Object.fromEntries(
    errorStatuses(endpoint, true).map((status) => {
      const reason = (own.includes(status) ? REASONS : KEY_REASONS)[status];
      return [
        String(status),
        { description: reason ?? 'Error', content: content({ $ref: '#/components/schemas/Error' }) },
      ];
    }),
  );
}

function parameters(endpoint: Endpoint, components: SchemaComponents): { list: JsonSchema[]; body: Field[] } {
  const inPath = new Set(pathParameters(endpoint.path));
  const fields = [...fieldsOf(endpoint.input).values()];
  const rest = fields.filter((field) => !inPath.has(field.name));
  const query = hasBody(endpoint) ? [] : rest;
  const parameter = (field: Field, where: string): JsonSchema => ({
    name: field.name,
    in: where,
    required: where === 'path' || !field.optional,
    schema: components.property(field),
  });
  return {
    list: [
      ...fields.filter((field) => inPath.has(field.name)).map((field) => parameter(field, 'path')),
      ...query.map((field) => parameter(field, 'query')),
      ...headerParameters(endpoint),
    ],
    body: hasBody(endpoint) ? rest : [],
  };
}

/** Fields of the body that may be sent as a header. */
const headerParameters = ({ headers = {} }: Endpoint): JsonSchema[] =>
  Object.entries(headers).map(([field, name]) => ({
    name,
    in: 'header',
    required: false,
    description: `Used when the body has no \`${field}\`.`,
    schema: { type: 'string' },
  }));

const SCOPE_SENTENCES = { none: 'Needs no key.', any: 'Needs a key of any scope.' };

const scopeSentence = ({ scope }: Endpoint): string =>
  scope === 'none' || scope === 'any' ? SCOPE_SENTENCES[scope] : `Scope: ${scope}.`;

const file: JsonSchema = { type: 'string', format: 'binary' };
const fileContent: JsonSchema = {
  ...Object.fromEntries(UPLOAD_TYPES.map((type) => [type, { schema: file }])),
  'multipart/form-data': { schema: { type: 'object', properties: { file }, required: ['file'] } },
};

/** The bodies of an endpoint that takes a file of bytes: the form, and the JSON with the named field in its place. */
function byteFileContent(body: readonly Field[], inJson: string, components: SchemaComponents): JsonSchema {
  const others = body.filter(({ name }) => name !== 'upload' && name !== inJson);
  const json = body.filter(({ name }) => name !== 'upload');
  const form = components.object(others) as { properties: object; required?: string[] };
  const required = [...(form.required ?? []), 'file'];
  return {
    'multipart/form-data': { schema: { ...form, properties: { ...form.properties, file }, required } },
    ...content(components.object(json.map((each) => (each.name === inJson ? { ...each, optional: false } : each)))),
  };
}

function bodyContent(endpoint: Endpoint, body: Field[], components: SchemaComponents): JsonSchema {
  if (endpoint.uploadOr !== undefined) return byteFileContent(body, endpoint.uploadOr, components);
  if (endpoint.upload !== undefined) return fileContent;
  const json = content(components.object(body));
  return endpoint.form ? { ...json, 'multipart/form-data': { schema: components.object(body) } } : json;
}

function operation(endpoint: Endpoint, components: SchemaComponents): JsonSchema {
  const { list, body } = parameters(endpoint, components);
  const open = endpoint.scope === 'none';
  return {
    operationId: `${endpoint.contract}.${endpoint.name}`,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: scopeSentence(endpoint),
    ...(endpoint.successor === undefined ? {} : { deprecated: true }),
    'x-required-scope': endpoint.scope,
    ...(list.length ? { parameters: list } : {}),
    ...(endpoint.bodyField ? { requestBody: { required: false, content: content({}) } } : {}),
    ...(body.length && !endpoint.bodyField
      ? {
          requestBody: {
            required: endpoint.upload !== undefined || body.some((f) => !f.optional),
            content: bodyContent(endpoint, body, components),
          },
        }
      : {}),
    responses: { '200': success(endpoint, components), ...errorReplies(endpoint) },
    security: open ? [] : [{ apiKey: [] }, ...(endpoint.bearer ? [{ bearer: [] }] : [])],
  };
}

const FIXED: Record<string, JsonSchema> = {
  Pagination: {
    type: 'object',
    properties: { total: { type: 'integer' }, offset: { type: 'integer' }, limit: { type: 'integer' } },
    required: ['total', 'offset', 'limit'],
  },
  Error: {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: {
          status: { type: 'integer' },
          message: { type: 'string' },
          details: {
            type: 'array',
            items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } } },
          },
        },
        required: ['status', 'message'],
      },
    },
    required: ['error'],
  },
};

const OWN_ENDPOINT = { scope: 'none', method: 'GET', path: '' } as Endpoint;

function ownPage(operationId: string, summary: string, contentType: string): JsonSchema {
  return {
    operationId,
    tags: ['Document'],
    summary,
    description: SCOPE_SENTENCES.none,
    'x-required-scope': 'none',
    responses: {
      '200': { description: 'The content', content: { [contentType]: { schema: {} } } },
      ...errorReplies(OWN_ENDPOINT),
    },
    security: [],
  };
}

/**
 * The paths that the gateway itself serves: the documents and, outside the prefix, the page that shows this document.
 */
const OWN_PATHS: Record<string, JsonSchema> = {
  '/openapi.json': { get: ownPage('document.getOpenApi', 'Get this document', 'application/json') },
  '/asyncapi.json': {
    get: ownPage('document.getAsyncApi', 'Get the AsyncAPI 3 document of the events', 'application/json'),
  },
  '/docs': {
    get: {
      ...ownPage('document.getPage', 'Get the page that shows this document', 'text/html'),
      servers: [{ url: '/' }],
    },
  },
};

/** The OpenAPI 3.1 document of the public endpoints of the given contracts. */
export function openApi(contracts: readonly Contract[]): JsonSchema {
  const components = new SchemaComponents();
  Object.assign(components.schemas, FIXED);
  const paths: Record<string, JsonSchema> = {};
  const tags = new Set<string>();
  for (const endpoint of contracts.flatMap((contract) => Object.values(contract.endpoints))) {
    if (endpoint.path === null || endpoint.method === null) continue;
    const written = operation(endpoint, components);
    const item = (paths[endpoint.path] ??= {});
    item[endpoint.method.toLowerCase()] = written;
    if (endpoint.method === 'PUT' && !endpoint.verb)
      item.patch = { ...written, operationId: `${String(written.operationId)}.patch` };
    tags.add(endpoint.tag);
  }
  Object.assign(paths, OWN_PATHS);
  tags.add('Document');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signalbox',
      version: '1.0.0',
      description: 'Build, run, watch and test LLM agents and workflows.',
    },
    servers: [{ url: '/api/v1' }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Service-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}
