import { ApiError } from '@signalbox/contracts';

/** The error of a call that a process has taken and will never answer: it died, or it stops. */
export class CallLost extends ApiError {}

/** The error with which a process that stops returns a call that another process can continue. */
export const goingAway = (): CallLost => new CallLost('unavailable', 'the service is going away', { retryAfter: 1 });
