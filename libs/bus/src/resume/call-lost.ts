import { ApiError } from '@signalbox/contracts';

/** A process received the call and will never reply: it died, or it stops. */
export class CallLost extends ApiError {}

/** No process confirmed the receipt: the call died with a process, or waits in the connection of a suspended one. */
export class DeliveryUnknown extends CallLost {}

/** A stopping process returns a call with this error so that another process continues it. */
export const goingAway = (): CallLost => new CallLost('unavailable', 'the process is stopping', { retryAfter: 1 });
