import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import type { Endpoint } from '@signalbox/contracts';
import type { BusConnection } from '../../connection.js';
import { isReattachable } from '../../reattach/reattach.js';
import { down, lostWith, sendFailed, timedOut, unconfirmed } from './call-errors.js';
import { isFrameToken, mayShare, type OutgoingCall, type OutgoingFrames } from '../frames/outgoing-frames.js';
import { readReplies } from '../frames/frames.js';
import type { LiveProcess, LiveProcesses } from './live-processes.js';
import { OpenCalls } from './open-calls.js';
import type { ProcessPresence } from './process-presence.js';
import { type Silence, SilenceWatch } from './silence-watch.js';
import {
  type callerHeaders,
  FAST_SILENCE_MS,
  isWorking,
  readReply,
  type ReceivedReply,
  RECEIPT_SILENCE_MS,
  SILENCE_MS,
  workingProcess,
} from '../wire.js';

/** A call that is sent again, or that has to be confirmed soon, is lost sooner before it is confirmed. */
const SOON: Silence = { firstMs: FAST_SILENCE_MS, laterMs: SILENCE_MS };
const SLOW: Silence = { firstMs: RECEIPT_SILENCE_MS, laterMs: SILENCE_MS };

/** After how much silence a call of an endpoint is lost; the end of its process is noticed sooner. */
export const silenceOf = (endpoint: Endpoint): Silence => (endpoint.slow && !isReattachable(endpoint) ? SLOW : SOON);

interface Waiting {
  resolve: (reply: ReceivedReply | Promise<ReceivedReply>) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
  /** Rejects when the call has sent no keepalive for too long: its service is lost. */
  silence: SilenceWatch;
  service: string;
  sent?: OutgoingCall;
}

type Reply = Pick<Msg, 'data'> & { headers?: MsgHdrs | undefined };

/** The calls of one process that wait for a single reply. */
export class SingleCalls {
  private readonly calls = new OpenCalls<Waiting>();

  constructor(
    private readonly connection: BusConnection,
    private readonly frames: OutgoingFrames,
    private readonly live: LiveProcesses,
    private readonly presence: ProcessPresence,
  ) {}

  /** The service that an open call waits for. */
  serviceOf(token: string): string | undefined {
    return isFrameToken(token) ? this.frames.serviceOf(token) : this.calls.get(token)?.service;
  }

  /**
   * Publishes a call and waits for its reply. When the service that received it sends no keepalive, a repeatable call
   * (a read, or a write that its client has marked as repeatable) is sent once more, to a process of the service that
   * has just reported that it runs.
   */
  send(
    endpoint: Endpoint,
    payload: Uint8Array,
    headers: ReturnType<typeof callerHeaders> | undefined,
    deadline: number,
    repeatable = endpoint.method === 'GET' && !endpoint.slow,
  ): Promise<ReceivedReply> {
    const sendTo = (id?: string) => this.sendTo(id, endpoint, payload, headers, deadline, repeatable);
    const process = this.live.next(endpoint);
    return process instanceof Promise ? process.then(sendTo) : sendTo(process);
  }

  private sendTo(
    processId: string | undefined,
    endpoint: Endpoint,
    payload: Uint8Array,
    headers: ReturnType<typeof callerHeaders> | undefined,
    deadline: number,
    repeatable: boolean,
  ): Promise<ReceivedReply> {
    const { service } = endpoint;
    return new Promise((resolve, reject) => {
      this.connection.requireUp();
      const left = deadline - Date.now();
      if (left <= 0) return reject(timedOut(service));
      const abandon = () => this.stopped(this.calls.removeAbandoned(token));
      const timer = setTimeout(() => abandon()?.reject(timedOut(service)), left);
      let mayRepeat = repeatable;
      let isLooking = false;
      const again = (process: LiveProcess): void => {
        const id = process === 'queue' ? undefined : process.id;
        abandon()?.resolve(this.sendTo(id, endpoint, payload, headers, deadline, false));
      };
      const lost = (isConfirmed: boolean): void => {
        this.live.lost(endpoint);
        if (isLooking) return;
        if (!mayRepeat) return abandon()?.reject((isConfirmed ? lostWith : unconfirmed)(service));
        mayRepeat = false;
        isLooking = true;
        // The reply may arrive meanwhile: processes that do not report may be slow.
        void this.live.find(endpoint).then((process) => {
          isLooking = false;
          if (process) again(process);
          else silence.prolong();
        });
      };
      const silence = new SilenceWatch(silenceOf(endpoint), this.presence.of(service), lost, repeatable);
      const waiting: Waiting = { resolve, reject, timer, silence, service };
      const token = this.calls.open(waiting);
      const failed = (error: unknown): void => abandon()?.reject(sendFailed(error));
      waiting.sent = { endpoint, token, payload, headers, failed };
      if (processId === undefined && mayShare(endpoint, payload)) this.frames.add(waiting.sent);
      else this.frames.send(waiting.sent, processId);
    });
  }

  /** Takes a message for a token; false when no call waits for it. */
  receive(token: string, error: Error | null, message: Msg): boolean {
    if (!isFrameToken(token)) return this.receiveOne(token, error, message);
    const service = this.frames.serviceOf(token);
    if (service === undefined) return false;
    if (error || isRefusal(message)) this.frames.sendAlone(token);
    else this.receiveTogether(service, message);
    return true;
  }

  private receiveTogether(service: string, { data }: Msg): void {
    try {
      for (const { token, payload } of readReplies(data))
        if (this.calls.get(token)?.service === service) this.receiveOne(token, null, { data: payload });
    } catch (error) {
      // The calls end as those of a lost service do.
      this.connection.logger.error({ error, service }, 'replies that came together cannot be read');
    }
  }

  private receiveOne(token: string, error: Error | null, message: Reply): boolean {
    if (!error && isWorking(message.headers)) {
      const waiting = this.calls.get(token);
      waiting?.silence.received(workingProcess(message.headers));
      return waiting !== undefined;
    }
    const waiting = this.stopped(this.calls.removeReplied(token));
    if (!waiting) return false;
    if (error || message.headers?.code === NO_RESPONDERS) waiting.reject(down(waiting.service));
    else this.resolve(waiting, message);
    return true;
  }

  private resolve(waiting: Waiting, message: Reply): void {
    try {
      waiting.resolve(readReply(message.data, message.headers));
    } catch (failure) {
      waiting.reject(failure as Error);
    }
  }

  /** Stops what a call that waits no longer has running. */
  private stopped(waiting: Waiting | undefined): Waiting | undefined {
    clearTimeout(waiting?.timer);
    waiting?.silence.stop();
    if (waiting?.sent) this.frames.settled(waiting.sent);
    return waiting;
  }
}

/** What the server of the bus itself replies with when no process serves a subject. */
const NO_RESPONDERS = 503;

/** A frame that no process has read: its calls have no reply with headers in one message. */
const isRefusal = ({ headers }: Msg): boolean => headers !== undefined;
