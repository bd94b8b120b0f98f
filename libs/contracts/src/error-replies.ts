import { type Endpoint, pathParameters } from './contract.js';
import { ERRORS, type ErrorKind } from './errors.js';
import { fieldsOf } from './fields/fields.js';

/** True when the non-path part of the input travels in the body rather than the query. */
export function hasBody(endpoint: Pick<Endpoint, 'method'>): boolean {
  return endpoint.method === 'POST' || endpoint.method === 'PUT' || endpoint.method === 'PATCH';
}

/** True for a DELETE that takes more than its path. Chosen: in the query or in a body, for not every client can send one. */
export const acceptsBody = (endpoint: Endpoint): boolean =>
  endpoint.method === 'DELETE' && fieldsOf(endpoint.input).size > pathParameters(endpoint.path).length;

/** What any call may be answered with, whatever it asks for; 504 when nobody answers the gateway in time. */
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
 * The error statuses a call of a public endpoint may be answered with (api.md 1.4), in rising order; `withKey` counts
 * those in that only a call with an idempotency key can get.
 */
export function errorStatuses(endpoint: Endpoint, withKey: boolean): number[] {
  return [...new Set(kindsOf(endpoint, withKey).map((kind) => ERRORS[kind]))].sort((a, b) => a - b);
}
