import type { Endpoint, JsonSchema, Output } from '@signalbox/contracts';
import { errorStatuses } from './error-statuses.js';
import type { SchemaComponents } from './schema-components.js';

export function content(schema: JsonSchema): JsonSchema {
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

export function success({ output, protocol, downloadWhen }: Endpoint, components: SchemaComponents): JsonSchema {
  if ('kind' in output && output.kind === 'stream')
    return {
      description: 'A stream of events',
      content: { 'text/event-stream': { schema: components.ref(output.of) } },
    };
  if ('kind' in output && output.kind === 'raw') return contentOf([output.contentType]);
  if ('kind' in output && output.kind === 'chunks') return contentOf(output.contentTypes ?? []);
  const json = content(replySchema(output, components, protocol !== 'openai'));
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

export function errorReplies(endpoint: Endpoint): JsonSchema {
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
