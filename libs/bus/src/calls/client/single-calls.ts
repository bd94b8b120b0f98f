import type { Msg } from '@nats-io/transport-node';
import type { Endpoint } from '@signalbox/contracts';
import type { BusConnection } from '../../connection.js';
import { isReattachable } from '../../reattach/reattach.js';
import { down, lostWith, sendFailed, timedOut, unconfirmed } from './call-errors.js';
import { OpenCalls } from './open-calls.js';
import { callSubject } from '../senders.js';
import { type Silence, SilenceWatch } from './silence-watch.js';
import {
  type callerHeaders,
  FAST_SILENCE_MS,
  isWorking,
  readReply,
  type ReceivedReply,
  RECEIPT_SILENCE_MS,
  SILENCE_MS,
} from '../wire.js';

const FAST: Silence = { firstMs: FAST_SILENCE_MS, laterMs: FAST_SILENCE_MS };
const SLOW: Silence = { firstMs: RECEIPT_SILENCE_MS, laterMs: SILENCE_MS };
const REATTACHABLE: Silence = { firstMs: FAST_SILENCE_MS, laterMs: SILENCE_MS };

/** After how much silence a call of an endpoint is lost. */
export const silenceOf = (endpoint: Endpoint): Silence =>
  isReattachable(endpoint) ? REATTACHABLE : endpoint.slow ? SLOW : FAST;

interface Waiting {
  resolve: (reply: ReceivedReply | Promise<ReceivedReply>) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
  /** Rejects when the call has sent no keepalive for too long: its service is lost. */
  silence: SilenceWatch;
  service: string;
}

/** The calls of one process that wait for a single reply. */
export class SingleCalls {
  private readonly calls = new OpenCalls<Waiting>();

  constructor(
    private readonly connection: BusConnection,
    private readonly inboxFor: (service: string, token: string) => string,
  ) {}

  /** The service that an open call waits for. */
  serviceOf(token: string): string | undefined {
    return this.calls.get(token)?.service;
  }

  /**
   * Publishes a call and waits for its reply. When the service that received it sends no keepalive, a repeatable call
   * (a read, or a write that its client has marked as repeatable) is sent once more, to another process of the
   * service.
   */
  send(
    endpoint: Endpoint,
    payload: Uint8Array,
    headers: ReturnType<typeof callerHeaders> | undefined,
    deadline: number,
    repeatable = endpoint.method === 'GET' && !endpoint.slow,
  ): Promise<ReceivedReply> {
    const { service } = endpoint;
    return new Promise((resolve, reject) => {
      this.connection.requireUp();
      const left = deadline - Date.now();
      if (left <= 0) return reject(timedOut(service));
      const abandon = () => stopped(this.calls.removeAbandoned(token));
      const timer = setTimeout(() => abandon()?.reject(timedOut(service)), left);
      const lost = (isConfirmed: boolean): void => {
        const waiting = abandon();
        if (repeatable) waiting?.resolve(this.send(endpoint, payload, headers, deadline, false));
        else waiting?.reject(isConfirmed ? lostWith(service) : unconfirmed(service));
      };
      const silence = new SilenceWatch(silenceOf(endpoint), lost);
      const token = this.calls.open({ resolve, reject, timer, silence, service });
      try {
        const subject = callSubject(this.connection.name, endpoint);
        this.connection.nats.publish(subject, payload, { reply: this.inboxFor(service, token), headers });
      } catch (error) {
        abandon();
        reject(sendFailed(error));
      }
    });
  }

  /** Takes a message for a token; false when no call waits for it. */
  receive(token: string, error: Error | null, message: Msg): boolean {
    if (!error && isWorking(message.headers)) {
      const waiting = this.calls.get(token);
      waiting?.silence.received();
      return waiting !== undefined;
    }
    const waiting = stopped(this.calls.removeReplied(token));
    if (!waiting) return false;
    // The server itself replies with code 503 when no process serves the subject.
    if (error || message.headers?.code === 503) waiting.reject(down(waiting.service));
    else this.resolve(waiting, message);
    return true;
  }

  private resolve(waiting: Waiting, message: Msg): void {
    try {
      waiting.resolve(readReply(message.data, message.headers));
    } catch (failure) {
      waiting.reject(failure as Error);
    }
  }
}

/** Stops the timers of a call that waits no longer. */
function stopped(waiting: Waiting | undefined): Waiting | undefined {
  clearTimeout(waiting?.timer);
  waiting?.silence.stop();
  return waiting;
}
