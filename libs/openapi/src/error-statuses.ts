import { acceptsBody, type Endpoint, type ErrorKind, ERRORS, hasBody, pathParameters } from '@signalbox/contracts';

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
