import type { Msg } from '@nats-io/transport-node';
import type { BusConnection } from '../../connection.js';
import { presenceSubject } from '../presence.js';
import type { WatchProcess } from './silence-watch.js';

const ASK_EVERY_MS = 1000;
/**
 * A process counts as ended when it is absent this often in a row, however slow the machine is: the bus knows its
 * connections. One that reconnects is back earlier.
 */
const ABSENCES = 3;
/** Begins the token of a question. */
const MARK = '+';

interface Watched {
  service: string;
  absences: number;
  /** The bus has replied to the latest question that there is no such process. */
  isAbsent: boolean;
  ended: Set<() => void>;
}

/**
 * Notices the end of processes that work on calls of this one. A keepalive names its process, and the bus replies at
 * once to a message for a process that has no connection; so one question a second per process, however many calls it
 * works on, replaces most of the silence after which a slow call counts as lost (docs/decisions/118). A suspended
 * process is present: its silence remains.
 */
export class ProcessPresence {
  private readonly watched = new Map<string, Watched>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: BusConnection,
    private readonly inboxFor: (service: string, token: string) => string,
  ) {}

  /** Watches processes of a service. */
  of(service: string): WatchProcess {
    return (processId, ended) => this.watch(service, processId, ended);
  }

  private watch(service: string, processId: string, ended: () => void): () => void {
    const process = this.watched.get(processId) ?? { service, absences: 0, isAbsent: false, ended: new Set() };
    this.watched.set(processId, process);
    process.ended.add(ended);
    this.timer ??= setInterval(() => this.ask(), ASK_EVERY_MS);
    return () => {
      process.ended.delete(ended);
      // One that counted as ended may be watched again, for calls that it received since.
      if (process.ended.size === 0 && this.watched.get(processId) === process) this.forget(processId);
    };
  }

  /** The service of the process that a question was about. */
  serviceOf(token: string): string | undefined {
    return token.startsWith(MARK) ? this.watched.get(token.slice(MARK.length))?.service : undefined;
  }

  /** Takes a message for a token; false when it is not the reply to a question. */
  receive(token: string, error: Error | null, { headers }: Msg): boolean {
    if (!token.startsWith(MARK)) return false;
    const processId = token.slice(MARK.length);
    const process = this.watched.get(processId);
    if (!process || error || headers?.code !== NO_RESPONDERS) return true;
    process.isAbsent = true;
    if (++process.absences < ABSENCES) return true;
    this.forget(processId);
    for (const ended of [...process.ended]) ended();
    return true;
  }

  private ask(): void {
    for (const [processId, process] of this.watched) {
      if (!process.isAbsent || !this.connection.isUp) process.absences = 0;
      process.isAbsent = false;
      const reply = this.inboxFor(process.service, `${MARK}${processId}`);
      this.connection.announce(presenceSubject(process.service, processId), '', reply);
    }
  }

  private forget(processId: string): void {
    this.watched.delete(processId);
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** What the bus replies with when a subject has no subscriber. */
const NO_RESPONDERS = 503;
