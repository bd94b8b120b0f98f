import { ApiError } from '@signalbox/contracts';
import { CallLost, DeliveryUnknown } from '../../resume/call-lost.js';

/** No process of the service has received the call, because none is connected. */
export class Unserved extends ApiError {}

/** No process of the service runs. */
export const down = (service: string): ApiError =>
  new Unserved('unavailable', `the ${service} service is down`, { retryAfter: 1 });
/** The service received the call and has sent no keepalive since. */
export const lostWith = (service: string): ApiError =>
  new CallLost('unavailable', `the ${service} service is down`, { retryAfter: 1 });
/** No process of the service has confirmed that it received the call. */
export const deliveryUnknown = (service: string): ApiError =>
  new DeliveryUnknown('unavailable', `the ${service} service is down`, { retryAfter: 1 });
/** The service has not answered by the deadline of the call. */
export const timedOut = (service: string): ApiError =>
  new ApiError('timeout', `the ${service} service did not answer in time`);

/** The error of a call that could not be published. */
export function sendFailed(error: unknown): ApiError {
  const text = error instanceof Error ? error.message : String(error);
  return /max_?payload|PAYLOAD/i.test(text)
    ? new ApiError('too_large', 'the request is larger than the message bus carries')
    : new ApiError('unavailable', 'the message bus is down', { retryAfter: 1 });
}
