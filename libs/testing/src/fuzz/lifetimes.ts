import type { Endpoint } from '@signalbox/contracts';
import { nameOf, PUBLIC_ENDPOINTS } from '../conformance/public-endpoints.js';

/** A resource: created by one endpoint, deleted by another, used by all that name it in their path. */
export interface Lifetime {
  create: Endpoint;
  remove: Endpoint;
  id: string;
  uses: Endpoint[];
}

function lifetimeOf(remove: Endpoint): Lifetime | undefined {
  const [, id] = /\{(\w+_id)\}$/.exec(remove.path ?? '') ?? [];
  if (!id) return undefined;
  const collection = new Set([remove.path?.slice(0, -`/{${id}}`.length)]);
  // A child is created under its parent and has a separate path: POST /agents/{agent_id}/actions, DELETE
  // /agents/actions/{id}.
  const create = PUBLIC_ENDPOINTS.find(
    ({ method, path, contract, slow }) =>
      method === 'POST' &&
      contract === remove.contract &&
      !slow &&
      (collection.has(path ?? '') || path?.endsWith((remove.path ?? '').split('/').at(-2) ?? '?') === true),
  );
  if (!create) return undefined;
  const uses = PUBLIC_ENDPOINTS.filter(
    (endpoint) =>
      endpoint !== remove && (endpoint.path ?? '').includes(`{${id}}`) && nameOf(endpoint) !== nameOf(create),
  );
  return { create, remove, id, uses };
}

export const LIFETIMES: readonly Lifetime[] = PUBLIC_ENDPOINTS.filter(({ method }) => method === 'DELETE').flatMap(
  (remove) => lifetimeOf(remove) ?? [],
);
