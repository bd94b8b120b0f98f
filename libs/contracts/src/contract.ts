import { type Caller, type Scope } from './contract/caller.js';
import {
  type EndpointDeclaration,
  resolveFacets,
  type ResolvedFacets,
  type Verb,
} from './contract/endpoint-declaration.js';
import { fieldsOf } from './fields/fields.js';

/**
 * The reply of an earlier try of a slow call that took effect and whose reply was lost; a handler returns it and does
 * nothing more.
 */
export const earlierReply = <Reply>({ idempotency }: Caller): Reply | undefined =>
  (idempotency?.earlier ?? undefined) as Reply | undefined;

/** An endpoint with everything derived from its declaration. */
export interface Endpoint
  extends Omit<EndpointDeclaration, 'http' | 'reply' | 'delivery' | 'placement'>, ResolvedFacets {
  contract: string;
  service: string;
  name: string;
  /** Name on the bus, `rpc.<contract>.<endpoint>`; on the wire the sender stands between the first two tokens. */
  subject: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | null;
  /** Path with `{name}` parameters, null for an internal endpoint. */
  path: string | null;
  scope: Scope | 'any' | 'none';
  tag: string;
  inProcess: boolean;
  /** The endpoint of `unbatchedWhen`. */
  unbatched?: Endpoint;
}

/** A contract: the endpoints of one resource, declared once as data. */
export interface Contract<E extends Record<string, EndpointDeclaration> = Record<string, EndpointDeclaration>> {
  name: string;
  service: string;
  tag: string;
  endpoints: { [K in keyof E]: Endpoint & E[K] };
}

/** Which service serves a contract and under which family the document lists it. */
export interface ContractHome {
  /** Name of the contract, part of its bus subjects. */
  name: string;
  service: string;
  /** Family of the API, the tag in the OpenAPI document. */
  tag: string;
  /** The contract whose accepted calls the replies show, unless an endpoint says otherwise. */
  readsAfter?: string;
  /** The process that clients are connected to may serve it itself, as well as the service that honours it. */
  inProcess?: boolean;
}

const METHODS = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

/** The names of the parameters of a path, in its order; an internal endpoint has none. */
export const pathParameters = (path: string | null): string[] =>
  [...(path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

function routeOf(declaration: EndpointDeclaration): Pick<Endpoint, 'method' | 'path'> {
  for (const verb of Object.keys(METHODS) as Verb[]) {
    const path = declaration[verb];
    if (path !== undefined) return { method: METHODS[verb], path };
  }
  return { method: null, path: null };
}

function complete(home: ContractHome, name: string, declaration: EndpointDeclaration): Endpoint {
  const { method, path } = routeOf(declaration);
  for (const parameter of pathParameters(path)) {
    if (!fieldsOf(declaration.input).has(parameter))
      throw new Error(`${home.name}.${name}: the input has no field for {${parameter}} of ${path}`);
  }
  const facets = resolveFacets(declaration);
  if (facets.batchable && !fieldsOf(declaration.input).has(facets.batchable))
    throw new Error(`${home.name}.${name}: batchable names no field of the input`);
  return {
    ...(home.readsAfter === undefined ? {} : { readsAfter: home.readsAfter }),
    ...declaration,
    ...facets,
    contract: home.name,
    service: home.service,
    tag: home.tag,
    inProcess: home.inProcess === true,
    name,
    subject: `rpc.${home.name}.${name}`,
    method,
    path,
    scope: declaration.scope ?? (method === 'GET' ? 'read' : 'write'),
  };
}

/** The other endpoints of its contract that a declaration names. */
const namedBy = ({ follow, chunked, downloadWhen, upload, largeBodyEndpoint, unbatchedWhen }: ResolvedFacets) =>
  [follow, chunked, downloadWhen, unbatchedWhen]
    .map((named) => named?.endpoint)
    .concat(upload, largeBodyEndpoint)
    .filter((name) => name !== undefined);

/** Without it a misspelt property of an endpoint compiles: a type parameter accepts what its constraint does not have. */
type OnlyDeclared<E> = { [K in keyof E]: { [P in Exclude<keyof E[K], keyof EndpointDeclaration>]: never } };

/** Declares the endpoints of a resource; subject, method, path and scope are derived here and nowhere else. */
export function defineContract<const E extends Record<string, EndpointDeclaration>>(
  home: ContractHome,
  endpoints: E & OnlyDeclared<E>,
): Contract<E> {
  for (const [name, declaration] of Object.entries<EndpointDeclaration>(endpoints)) {
    const unknown = namedBy(resolveFacets(declaration)).find((other) => !(other in endpoints));
    if (unknown !== undefined) throw new Error(`${home.name}.${name} names ${unknown}, which is no endpoint of it`);
  }
  const completed = Object.fromEntries(
    Object.entries<EndpointDeclaration>(endpoints).map(([name, declaration]) => [
      name,
      complete(home, name, declaration),
    ]),
  );
  for (const endpoint of Object.values(completed)) {
    const unbatched = completed[endpoint.unbatchedWhen?.endpoint ?? ''];
    if (unbatched) endpoint.unbatched = unbatched;
  }
  return { ...home, endpoints: completed as Contract<E>['endpoints'] };
}
