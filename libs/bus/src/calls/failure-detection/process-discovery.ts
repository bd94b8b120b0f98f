import type { Endpoint } from '@signalbox/contracts';
import { slowdown } from '@signalbox/platform';
import type { BusConnection } from '../../connection.js';
import { hasNoResponders, type ReplyInbox, type ReplyReceiver } from '../client/reply-inbox.js';
import { contractIn, PING, PING_OF_WORKERS } from '../frames/frames.js';
import { callSubject } from '../senders.js';
import { decode } from '../wire.js';

/**
 * How long the queue of a service is avoided after it lost a call, because it still delivers to the silent process.
 * Doubles with each further loss.
 */
const AVOIDED_MS = 30_000;
const MAX_AVOIDED_MS = 480_000;
/** A loss this soon after the queue is used again means that the process is still silent. */
const SOON_MS = 10_000;
/** A running process reports within this time, on a machine with free processors. */
const REPORT_MS = 1000;
/** `queue` stands for a process of an earlier release, which has no id. */
export type LiveProcess = { id: string } | 'queue';

interface AvoidedQueue {
  until: number;
  forMs: number;
  processes: string[];
  next: number;
  asked: number;
  ping: Promise<LiveProcess | undefined> | undefined;
}

const newlyAvoided = (): AvoidedQueue => ({
  until: 0,
  forMs: AVOIDED_MS,
  processes: [],
  next: 0,
  asked: -Infinity,
  ping: undefined,
});

const processesOf = ({ service, onWorkers }: Endpoint): string => (onWorkers ? `workers of ${service}` : service);

/**
 * Finds live processes after a service has lost a call. NATS delivers a call to any process with an open connection,
 * even a suspended one, and does not report which; so after a loss calls are addressed to processes that have replied
 * to a ping just now.
 */
export class ProcessDiscovery {
  private readonly avoided = new Map<string, AvoidedQueue>();

  constructor(
    private readonly connection: BusConnection,
    private readonly inbox: ReplyInbox,
  ) {}

  reportLost(endpoint: Endpoint): void {
    const queue = this.avoided.get(processesOf(endpoint)) ?? newlyAvoided();
    const now = Date.now();
    if (now > queue.until)
      queue.forMs = now < queue.until + SOON_MS ? Math.min(queue.forMs * 2, MAX_AVOIDED_MS) : AVOIDED_MS;
    queue.until = now + queue.forMs;
    this.avoided.set(processesOf(endpoint), queue);
    void this.find(endpoint);
  }

  /**
   * Undefined for the queue of the service. Only processes of the latest ping are used: a call to one that has ended
   * would be lost without a trace.
   */
  processFor(endpoint: Endpoint): string | undefined | Promise<string | undefined> {
    if (this.avoided.size === 0) return undefined;
    const queue = this.avoided.get(processesOf(endpoint));
    if (!queue || queue.until < Date.now()) return undefined;
    if (Date.now() - queue.asked > REPORT_MS) void this.find(endpoint);
    const { processes } = queue;
    return processes[queue.next++ % processes.length] ?? this.find(endpoint).then(idOf);
  }

  /** The first process that reports; undefined when none does, and the service is down. */
  find(endpoint: Endpoint): Promise<LiveProcess | undefined> {
    const queue = this.avoided.get(processesOf(endpoint));
    if (!queue) return Promise.resolve('queue');
    return (queue.ping ??= this.ping(endpoint, queue));
  }

  private ping(endpoint: Endpoint, queue: AvoidedQueue): Promise<LiveProcess | undefined> {
    const { service } = endpoint;
    const processes: string[] = [];
    queue.asked = Date.now();
    queue.processes = processes;
    return new Promise((resolve) => {
      const end = (): void => {
        this.inbox.abandon(token);
        queue.ping = undefined;
        resolve(undefined);
      };
      let hasReported = false;
      let timer = setTimeout(() => {
        if (hasReported) end();
        else timer = setTimeout(end, slowdown.allow(REPORT_MS) - REPORT_MS);
      }, REPORT_MS);
      const receive: ReplyReceiver['receive'] = (error, message) => {
        if (error || hasNoResponders(message)) return;
        hasReported = true;
        // An earlier release refuses the unknown endpoint.
        const process = message.headers ? 'queue' : { id: decode(message.data) };
        if (process !== 'queue') processes.push(process.id);
        resolve(process);
      };
      const token = this.inbox.open({ service, receive });
      const ping = endpoint.onWorkers ? PING_OF_WORKERS : PING;
      const subject = callSubject(this.connection.name, { subject: `${contractIn(endpoint)}.${ping}` });
      try {
        this.connection.nats.publish(subject, undefined, { reply: this.inbox.addressOf(service, token) });
      } catch {
        clearTimeout(timer);
        end();
      }
    });
  }
}

const idOf = (process: LiveProcess | undefined): string | undefined =>
  typeof process === 'object' ? process.id : undefined;
