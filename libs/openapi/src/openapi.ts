import {
  type Contract,
  type Endpoint,
  type Field,
  fieldsOf,
  hasBody,
  type JsonSchema,
  pathParameters,
  UPLOAD_TYPES,
} from '@signalbox/contracts';
import { FIXED, OTLP_PATHS, OWN_PATHS, SCOPE_SENTENCES } from './fixed-parts.js';
import { content, errorReplies, success } from './replies.js';
import { SchemaComponents } from './schema-components.js';

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
    ...(endpoint.deprecatedBy === undefined ? {} : { deprecated: true }),
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
    if (endpoint.method === 'PUT' && !endpoint.exactMethod)
      item.patch = { ...written, operationId: `${String(written.operationId)}.patch` };
    tags.add(endpoint.tag);
  }
  Object.assign(paths, OTLP_PATHS, OWN_PATHS);
  tags.add('OpenTelemetry');
  tags.add('Model Context Protocol');
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
