export { Context } from './context.decorator.js';
export { companyInPath, routedUrl } from './company-path.js';
export { requireFewParameters, type Texts } from './input-reader.js';
export { PathTable, type ServedPath } from './path-table.js';
export { isPublic, Public } from './public.decorator.js';
export { type AuthenticatedKey, type RateLimitState, RequestContext, requestContextOf } from './request-context.js';
export { ownRequestId } from './request-id.js';
export {
  isDownload,
  methodsOf,
  PREFIX,
  type RouteDefinition,
  routeDefinitionOf,
  routeDefinitionsOf,
} from './route-definition.js';
export { traceRequests } from './tracing.hook.js';
export { isWithoutHead, WithoutHead } from './without-head.decorator.js';
