import { type Endpoint, type JsonSchema, OTLP_TYPES } from '@signalbox/contracts';
import { errorReplies } from './replies.js';

export const SCOPE_SENTENCES = { none: 'Needs no key.', any: 'Needs a key of any scope.' };

export const FIXED: Record<string, JsonSchema> = {
  Pagination: {
    type: 'object',
    properties: {
      total: { type: 'integer' },
      offset: { type: 'integer', maximum: 1_000_000 },
      limit: { type: 'integer' },
      total_is_estimate: {
        type: 'boolean',
        description: 'true when filters select more than 100,000 rows and counting them takes long; absent otherwise',
      },
    },
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

const OTLP_ENDPOINT = { scope: 'ingest', method: 'POST', path: '' } as Endpoint;

const otlpContent = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(OTLP_TYPES.map((type) => [type, { schema: type === 'application/json' ? schema : {} }]));

/** An export of OpenTelemetry; the reply is in the media type of the request. */
const otlpExport = (signal: string, summary: string): JsonSchema => ({
  post: {
    operationId: `otel.${signal}`,
    tags: ['OpenTelemetry'],
    summary,
    description: `Scope: ingest. OTLP over HTTP; also served at /otel/v1/${signal}, outside of the prefix.`,
    'x-required-scope': 'ingest',
    requestBody: { required: true, content: otlpContent({ type: 'object' }) },
    responses: {
      '200': {
        description: 'partialSuccess says what was not kept, and why',
        content: otlpContent({ type: 'object', properties: { partialSuccess: { type: 'object' } } }),
      },
      ...errorReplies(OTLP_ENDPOINT),
    },
    security: [{ apiKey: [] }],
  },
});

/** The endpoints of the gateway itself that take exports of OpenTelemetry. */
export const OTLP_PATHS: Record<string, JsonSchema> = {
  '/otel/v1/traces': otlpExport('traces', 'Store spans of a program that runs elsewhere'),
  '/otel/v1/logs': otlpExport('logs', 'Store evaluations among log records; others are not kept'),
  '/otel/v1/metrics': otlpExport('metrics', 'Accept metrics, which are not kept'),
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

/** An address of the server of the Model Context Protocol, whose messages are not of this document. */
const mcpAddress = (name: string, summary: string): JsonSchema => ({
  post: {
    operationId: `mcp.${name}`,
    tags: ['Model Context Protocol'],
    summary,
    description: SCOPE_SENTENCES.any,
    'x-required-scope': 'any',
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {
      '200': { description: 'A message of JSON-RPC', content: { 'application/json': { schema: {} } } },
      '202': { description: 'A notification was taken' },
      ...errorReplies({ ...OWN_ENDPOINT, scope: 'any', method: 'POST' } as Endpoint),
    },
    security: [{ apiKey: [] }, { bearer: [] }],
  },
});

/**
 * The paths that the gateway itself serves: the documents and, outside the prefix, the page that shows this document.
 */
export const OWN_PATHS: Record<string, JsonSchema> = {
  '/openapi.json': { get: ownPage('document.getOpenApi', 'Get this document', 'application/json') },
  '/mcp': mcpAddress('read', 'Model Context Protocol: the tools that read'),
  '/mcp/run': mcpAddress('run', 'Model Context Protocol: the tools that read and run'),
  '/mcp/build': mcpAddress('build', 'Model Context Protocol: the tools that read, run and change'),
  '/mcp/agents': mcpAddress('agents', 'Model Context Protocol: releases of agents and workflows as tools'),
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
