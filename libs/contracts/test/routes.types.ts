// Compiled, never run: each expected error below fails the build when the mistake compiles.
import type { Agent, Release, PublicRoute, RouteInput, RouteReply, Task } from '@signalbox/contracts';

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
