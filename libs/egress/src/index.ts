export { Egress } from './egress.js';
export type { Destination } from './targets/destination.js';
export type {
  EgressCall,
  EgressOptions,
  EgressRequest,
  EgressResponse,
  EgressStream,
  EgressTarget,
} from './egress-request.js';
export {
  EgressDenied,
  EgressFailed,
  EgressTimeout,
  isEgressError,
  type DeniedReason,
  type EgressError,
  type FailedReason,
} from './errors.js';
export { AllowList, InvalidAllowEntry } from './targets/allow-list.js';
export { checkTarget } from './targets/target.js';
export type { ResolvedAddress, Resolver } from './dispatchers.js';
export { isSensitiveHeader, type BasicAuth } from './request-headers.js';
export { SecretBag } from './secrets/secret-bag.js';
export { Scrubber } from './secrets/scrubber.js';
export { secretNamesIn, secretPlaceholdersIn, type SecretPlaceholder } from './secrets/placeholders.js';
