import type { Caller } from '@signalbox/contracts';
import type { RequestContext, RouteDefinition } from '../request/index.js';

/** One call of an endpoint: its validated input, on whose behalf. The pipes make it of a `RequestContext`. */
export interface Call {
  route: RouteDefinition;
  input: object;
  caller: Caller;
  context: RequestContext;
}
