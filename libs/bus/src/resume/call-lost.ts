import { ApiError } from '@signalbox/contracts';

/** The error of a call that a process has received and will never reply to: it died, or it stops. */
export class CallLost extends ApiError {}

/**
 * The error of a call whose receipt no process has confirmed: it was lost with a process that died at once, or waits in
 * the connection of one that is suspended.
 */
export class DeliveryUnknown extends CallLost {}

/** The error with which a process that stops returns a call that another process can continue. */
export const goingAway = (): CallLost => new CallLost('unavailable', 'the process is stopping', { retryAfter: 1 });
