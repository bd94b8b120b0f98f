import { requirePlain } from '../bodies/bodies.js';
import type { Exchange } from '../replies/exchange.js';
import { requireFewParameters } from './input-reader.js';
import type { RouteDefinition } from './route-definition.js';

/**
 * A check of every call of a contract, between its scope and its body, so that a refused body is not read; throws the
 * `ApiError` of the refusal.
 */
export type CallCheck = (plan: RouteDefinition, exchange: Exchange) => void;

/** Injection token of the checks, which run in their order. */
export const CALL_CHECKS = Symbol('checks of every call');

/** The checks of the gateway: a new one is added here. */
export const callChecks: readonly CallCheck[] = [
  ({ withBody, acceptsBody }, { request }) => {
    if (withBody || acceptsBody) requirePlain(request.raw.headers['content-encoding']);
  },
  (_plan, { request }) => requireFewParameters(request.raw.url ?? ''),
];
