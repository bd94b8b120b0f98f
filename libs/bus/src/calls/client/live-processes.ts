import type { Msg } from '@nats-io/transport-node';
import type { Endpoint } from '@signalbox/contracts';
import type { BusConnection } from '../../connection.js';
import { slowdown } from '@signalbox/platform';
import { callSubject } from '../senders.js';
import { contractIn, ROLL_CALL, ROLL_CALL_OF_WORKERS } from '../frames/frames.js';
import { decode } from '../wire.js';

/**
 * How long the queue of a service is avoided after a call to it was lost: it still delivers to the silent process. Twice
 * as long after each loss that follows soon.
 */
const AVOIDED_MS = 30_000;
const MAX_AVOIDED_MS = 480_000;
/** A loss within this time after the queue is used again means that the process is still silent. */
const SOON_MS = 10_000;
/** A process that runs reports within this time, on a machine with free processors. */
const REPORT_MS = 1000;
/** Begins the token of a roll call. */
const MARK = '!';

/** A process of a service by its id, or `queue` for one that has none: its release is an earlier one. */
export type LiveProcess = { id: string } | 'queue';

interface AvoidedQueue {
  until: number;
  forMs: number;
  /** The processes that have reported in the latest roll call. */
  processes: string[];
  next: number;
  asked: number;
  rollCall: Promise<LiveProcess | undefined> | undefined;
}

const newlyAvoided = (): AvoidedQueue => ({
  until: 0,
  forMs: AVOIDED_MS,
  processes: [],
  next: 0,
  asked: -Infinity,
  rollCall: undefined,
});

/** The processes that serve an endpoint: those of its service, or the workers among them. */
const processesOf = ({ service, byWorkers }: Endpoint): string => (byWorkers ? `workers of ${service}` : service);

interface RollCall {
  service: string;
  reported: (process: LiveProcess) => void;
}

/**
 * The processes of services that run, known while a service has lost a call. The bus delivers a call to any process
 * with an open connection, also to a suspended one, and does not report which; so after a loss calls are addressed to
 * processes that have reported a moment ago.
 */
export class LiveProcesses {
  private readonly avoided = new Map<string, AvoidedQueue>();
  private readonly rollCalls = new Map<string, RollCall>();
  private issued = 0;

  constructor(
    private readonly connection: BusConnection,
    private readonly inboxFor: (service: string, token: string) => string,
  ) {}

  /** Records that a call to the service of the endpoint was lost. */
  lost(endpoint: Endpoint): void {
    const queue = this.avoided.get(processesOf(endpoint)) ?? newlyAvoided();
    const now = Date.now();
    if (now > queue.until)
      queue.forMs = now < queue.until + SOON_MS ? Math.min(queue.forMs * 2, MAX_AVOIDED_MS) : AVOIDED_MS;
    queue.until = now + queue.forMs;
    this.avoided.set(processesOf(endpoint), queue);
    void this.find(endpoint);
  }

  /**
   * The id of the process that the next call is addressed to; undefined when it goes to the queue of its service. It is
   * one of the latest roll call: a call to a process that has ended meanwhile would be lost without a trace.
   */
  next(endpoint: Endpoint): string | undefined | Promise<string | undefined> {
    if (this.avoided.size === 0) return undefined;
    const queue = this.avoided.get(processesOf(endpoint));
    if (!queue || queue.until < Date.now()) return undefined;
    if (Date.now() - queue.asked > REPORT_MS) void this.find(endpoint);
    const { processes } = queue;
    return processes[queue.next++ % processes.length] ?? this.find(endpoint).then(idOf);
  }

  /** The process that reports first; undefined when none does, and the service is down. */
  find(endpoint: Endpoint): Promise<LiveProcess | undefined> {
    const queue = this.avoided.get(processesOf(endpoint));
    if (!queue) return Promise.resolve('queue');
    return (queue.rollCall ??= this.callRoll(endpoint, queue));
  }

  /** The service that a roll call was sent to. */
  serviceOf(token: string): string | undefined {
    return this.rollCalls.get(token)?.service;
  }

  /** Takes a message for a token; false when it belongs to no roll call. */
  receive(token: string, error: Error | null, { data, headers }: Msg): boolean {
    const rollCall = this.rollCalls.get(token);
    if (!rollCall) return false;
    // A process of an earlier release refuses the unknown endpoint; the bus itself reports that there is no process.
    if (!error && headers?.code !== 503) rollCall.reported(headers ? 'queue' : { id: decode(data) });
    return true;
  }

  private callRoll(endpoint: Endpoint, queue: AvoidedQueue): Promise<LiveProcess | undefined> {
    const { service } = endpoint;
    const token = `${MARK}${(++this.issued).toString(36)}`;
    const processes: string[] = [];
    queue.asked = Date.now();
    queue.processes = processes;
    return new Promise((resolve) => {
      const end = (): void => {
        this.rollCalls.delete(token);
        queue.rollCall = undefined;
        resolve(undefined);
      };
      let hasReported = false;
      let timer = setTimeout(() => {
        if (hasReported) end();
        else timer = setTimeout(end, slowdown.allow(REPORT_MS) - REPORT_MS);
      }, REPORT_MS);
      const reported = (process: LiveProcess): void => {
        hasReported = true;
        if (process !== 'queue') processes.push(process.id);
        resolve(process);
      };
      this.rollCalls.set(token, { service, reported });
      const rollCall = endpoint.byWorkers ? ROLL_CALL_OF_WORKERS : ROLL_CALL;
      const subject = callSubject(this.connection.name, { subject: `${contractIn(endpoint)}.${rollCall}` });
      try {
        this.connection.nats.publish(subject, undefined, { reply: this.inboxFor(service, token) });
      } catch {
        clearTimeout(timer);
        end();
      }
    });
  }
}

const idOf = (process: LiveProcess | undefined): string | undefined =>
  typeof process === 'object' ? process.id : undefined;
