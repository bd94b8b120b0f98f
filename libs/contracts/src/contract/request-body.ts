import { type Endpoint, pathParameters } from '../contract.js';
import { fieldsOf } from '../fields/fields.js';

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
