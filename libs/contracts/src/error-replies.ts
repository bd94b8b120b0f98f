import { type Endpoint, pathParameters } from './contract.js';
import { ERRORS, type ErrorKind } from './errors.js';
import { fieldsOf } from './fields/fields.js';

/** True when the non-path part of the input travels in the body rather than the query. */
export function hasBody(endpoint: Pick<Endpoint, 'method'>): boolean {
  return endpoint.method === 'POST' || endpoint.method === 'PUT' || endpoint.method === 'PATCH';
}

/** True when the body is a file and nothing else: it has no fields. */
export const takesOnlyFile = ({ upload, uploadOr }: Pick<Endpoint, 'upload' | 'uploadOr'>): boolean =>
  upload !== undefined && uploadOr === undefined;

/**
 * True for a DELETE with input beyond its path. Chosen: accepted in the query or in a body, since some clients cannot
 * send a body.
 */
export const acceptsBody = (endpoint: Endpoint): boolean =>
  endpoint.method === 'DELETE' && fieldsOf(endpoint.input).size > pathParameters(endpoint.path).length;

/**
 * Errors that any call can return, whatever its endpoint; 504 when the service does not reply to the gateway in time.
 */
const ALWAYS: readonly ErrorKind[] = [
  'invalid',
  'headers_too_large',
  'rate_limited',
  'internal',
  'unavailable',
  'timeout',
];

function kindsOf(endpoint: Endpoint, withKey: boolean): ErrorKind[] {
  const { scope, path, errors = [] } = endpoint;
  const named = pathParameters(path).length > 0;
  return [
    ...ALWAYS,
    ...errors,
    ...(scope === 'none' ? [] : (['missing_company'] as const)),
    ...(scope === 'none' || scope === 'any' ? [] : (['missing_scope'] as const)),
    ...(named ? (['not_found'] as const) : []),
    ...(hasBody(endpoint) || acceptsBody(endpoint) ? (['too_large', 'unsupported_media'] as const) : []),
    ...(withKey && scope !== 'none' && endpoint.method === 'POST' ? (['in_progress', 'refused'] as const) : []),
  ];
}

/**
 * The error statuses of a public endpoint (docs/api/errors.md), in ascending order; `withKey` includes those that only a call
 * with an idempotency key can get.
 */
export function errorStatuses(endpoint: Endpoint, withKey: boolean): number[] {
  return [...new Set(kindsOf(endpoint, withKey).map((kind) => ERRORS[kind]))].sort((a, b) => a - b);
}
