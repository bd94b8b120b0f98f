// Compiled, never run: each expected error below fails the build when the mistake compiles.
import type {
  Agent,
  AnyContract,
  Class,
  Contract,
  EndpointDeclaration,
  OutputOf,
  Release,
  Task,
} from '@signalbox/contracts';

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
type Routes = Intersection<RoutesOf<AnyContract>>;

/** The method and path of a public endpoint. */
type PublicRoute = keyof Routes & `${string} /${string}`;

type Parameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameters<Rest>
  : never;

type Declared<R extends PublicRoute> = Extract<Routes[R], EndpointDeclaration>;
type Fields<R extends PublicRoute> = Declared<R> extends { input: Class<infer I> } ? I : never;

/**
 * What a client sends to a route: every parameter of the path, and fields of the input. Which of the others may be
 * absent is not part of their type, because a field with a default is always present in a parsed input.
 */
type RouteInput<R extends PublicRoute> = Pick<Fields<R>, Parameters<R> & keyof Fields<R>> &
  Partial<Omit<Fields<R>, Parameters<R>>>;

type PageData<O> = O extends { data: infer Items; pagination: unknown } ? Items : O;

/** The `data` of the reply of a route. */
type RouteReply<R extends PublicRoute> = PageData<OutputOf<Declared<R>['output']>>;

declare function call<R extends PublicRoute>(route: R, input: RouteInput<R>): Promise<RouteReply<R>>;

export const agent = (): Promise<Agent> => call('GET /agents/{agent_id}', { agent_id: 1 });
export const task = (id: string): Promise<Task> => call('GET /agents/tasks/{task_id}', { task_id: id });
/** The root of the endpoints of versions and releases is a literal too. */
export const moved = (): Promise<Release> =>
  call('PUT /agents/{agent_id}/releases/{release_name}', { agent_id: 1, release_name: 'a', version: '1.0.0' });
/** A list is the items of its page. */
export const releases = (): Promise<Release[]> => call('GET /agents/{agent_id}/releases', { agent_id: 1, limit: 5 });
export const config = () => call('PUT /applications/{application_id}/config', { application_id: 1, model: 'm' });
export const workflows = () => call('GET /applications/{application_id}/workflows', { application_id: 1 });

// @ts-expect-error no such route
export const unknownRoute = () => call('GET /agent/{agent_id}', { agent_id: 1 });
// @ts-expect-error the route has no such method
export const unknownMethod = () => call('DELETE /agents/tasks/{task_id}', { task_id: 'a' });
// @ts-expect-error the parameter of the path is missing
export const noParameter = () => call('GET /agents/{agent_id}', {});
// @ts-expect-error the parameter of the path has another type
export const wrongParameter = () => call('GET /agents/{agent_id}', { agent_id: '1' });
// @ts-expect-error the input has no such field
export const unknownField = () => call('GET /agents', { colour: 'red' });
// @ts-expect-error the field has another type
export const wrongField = () => call('PUT /agents/{agent_id}', { agent_id: 1, agent_name: 7 });
// @ts-expect-error the reply is an agent and no task
export const wrongReply = (): Promise<Task> => call('GET /agents/{agent_id}', { agent_id: 1 });
// @ts-expect-error an internal endpoint has no route
export const internal = () => call('GET null', {});
