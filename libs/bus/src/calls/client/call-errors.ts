import { ApiError } from '@signalbox/contracts';
import { CallLost, DeliveryUnknown } from '../../resume/call-lost.js';

/** No process is connected, so none has received the call. */
export class Unserved extends ApiError {}

export const down = (service: string): ApiError =>
  new Unserved('unavailable', `the ${service} service is down`, { retryAfter: 1 });
/** The service received the call and has sent no keepalive since. */
export const lostWith = (service: string): ApiError =>
  new CallLost('unavailable', `the ${service} service is down`, { retryAfter: 1 });
/** No process has confirmed that it received the call. */
export const deliveryUnknown = (service: string): ApiError =>
  new DeliveryUnknown('unavailable', `the ${service} service is down`, { retryAfter: 1 });
export const timedOut = (service: string): ApiError =>
  new ApiError('timeout', `the ${service} service did not answer in time`);

export function sendFailed(error: unknown): ApiError {
  const text = error instanceof Error ? error.message : String(error);
  return /max_?payload|PAYLOAD/i.test(text)
    ? new ApiError('too_large', 'the request is larger than the message bus carries')
    : new ApiError('unavailable', 'the message bus is down', { retryAfter: 1 });
}
