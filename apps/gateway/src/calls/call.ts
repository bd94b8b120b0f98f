import type { Caller } from '@signalbox/contracts';
import type { RequestContext, RouteDefinition } from '../request/index.js';

/** What a handler receives; the pipes make it from a `RequestContext`. */
export interface Call {
  route: RouteDefinition;
  input: object;
  caller: Caller;
  context: RequestContext;
}
