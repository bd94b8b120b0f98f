import type { Contract, EndpointDeclaration, OutputOf } from './contract.js';
import type { Class } from './fields/field-types.js';
import type { AnyContract } from './resources/index.js';

type RouteOf<D> = D extends { get: infer P extends string }
  ? `GET ${P}`
  : D extends { post: infer P extends string }
    ? `POST ${P}`
    : D extends { put: infer P extends string }
      ? `PUT ${P}`
      : D extends { patch: infer P extends string }
        ? `PATCH ${P}`
        : D extends { delete: infer P extends string }
          ? `DELETE ${P}`
          : never;

type RoutesOf<C> = C extends Contract<infer E> ? { [K in keyof E as RouteOf<E[K]>]: E[K] } : never;

type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;

/** Every public endpoint by its method and path, such as `GET /agents/{agent_id}`. */
export type Routes = Intersection<RoutesOf<AnyContract>>;

/** The method and path of a public endpoint. */
export type PublicRoute = keyof Routes & `${string} /${string}`;

type Parameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameters<Rest>
  : never;

type Declared<R extends PublicRoute> = Extract<Routes[R], EndpointDeclaration>;
type Fields<R extends PublicRoute> = Declared<R> extends { input: Class<infer I> } ? I : never;

/**
 * What a client sends to a route: every parameter of the path, and fields of the input. Which of the others may be
 * absent is not part of their type, because a field with a default is always present in a parsed input.
 */
export type RouteInput<R extends PublicRoute> = Pick<Fields<R>, Parameters<R> & keyof Fields<R>> &
  Partial<Omit<Fields<R>, Parameters<R>>>;

type PageData<O> = O extends { data: infer Items; pagination: unknown } ? Items : O;

/** The `data` of the reply of a route. */
export type RouteReply<R extends PublicRoute> = PageData<OutputOf<Declared<R>['output']>>;
