export { Egress } from './egress.js';
export type { EgressOptions, EgressRequest, EgressResponse, EgressStream } from './egress-request.js';
export {
  EgressDenied,
  EgressFailed,
  EgressTimeout,
  isEgressError,
  type DeniedReason,
  type EgressError,
  type FailedReason,
} from './errors.js';
export { AllowList, InvalidAllowEntry } from './allow-list.js';
export { isPublicAddress } from './addresses.js';
export { checkTarget } from './target.js';
export type { ResolvedAddress, Resolver } from './dispatchers.js';
export { isSensitiveHeader, type BasicAuth } from './request-headers.js';
export { SecretBag } from './secret-bag.js';
export { Scrubber, SECRET_MARK } from './scrubber.js';
export { hasPlaceholder, secretNamesIn, secretPlaceholdersIn, type SecretPlaceholder } from './placeholders.js';
