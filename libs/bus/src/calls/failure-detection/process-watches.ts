import type { BusConnection } from '../../connection.js';
import { hasNoResponders, type ReceivedMessage, type ReplyInbox, type ReplyReceiver } from '../client/reply-inbox.js';
import type { WatchProcess } from './inactivity-timeout.js';
import { presenceSubject } from './presence.js';

const ASK_EVERY_MS = 1000;
/**
 * Absences in a row after which a process counts as ended, however slow the machine: NATS knows its connections, and a
 * reconnect takes less time.
 */
const ABSENCES = 3;

class WatchedProcess implements ReplyReceiver {
  readonly token: string;
  readonly ended = new Set<() => void>();
  private absences = 0;
  private isAbsent = false;

  constructor(
    readonly service: string,
    readonly id: string,
    private readonly inbox: ReplyInbox,
    private readonly lost: (process: WatchedProcess) => void,
  ) {
    this.token = inbox.open(this);
  }

  receive(error: Error | null, message: ReceivedMessage): void {
    if (error || !hasNoResponders(message)) return;
    this.isAbsent = true;
    if (++this.absences >= ABSENCES) this.lost(this);
  }

  ask(connection: BusConnection): void {
    if (!this.isAbsent || !connection.isUp) this.absences = 0;
    this.isAbsent = false;
    connection.announce(presenceSubject(this.service, this.id), '', this.inbox.addressOf(this.service, this.token));
  }
}

/**
 * Notices the end of processes that work on calls of this one. A keepalive names its process, and NATS replies at once
 * to a message for a process without a connection: one probe a second per process detects most losses sooner than
 * silence does (docs/decisions/118). A suspended process still has its connection, so only its silence shows.
 */
export class ProcessWatches {
  private readonly watched = new Map<string, WatchedProcess>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: BusConnection,
    private readonly inbox: ReplyInbox,
  ) {}

  of(service: string): WatchProcess {
    return (processId, ended) => this.watch(service, processId, ended);
  }

  private watch(service: string, processId: string, ended: () => void): () => void {
    const process = this.watched.get(processId) ?? this.begin(service, processId);
    process.ended.add(ended);
    this.timer ??= setInterval(() => this.ask(), ASK_EVERY_MS);
    return () => {
      process.ended.delete(ended);
      // A process that counted as ended may be watched again for later calls.
      if (process.ended.size === 0 && this.watched.get(processId) === process) this.forget(process);
    };
  }

  private begin(service: string, processId: string): WatchedProcess {
    const process = new WatchedProcess(service, processId, this.inbox, (lost) => this.lost(lost));
    this.watched.set(processId, process);
    return process;
  }

  private ask(): void {
    for (const process of this.watched.values()) process.ask(this.connection);
  }

  private lost(process: WatchedProcess): void {
    this.forget(process);
    for (const ended of [...process.ended]) ended();
  }

  private forget(process: WatchedProcess): void {
    this.watched.delete(process.id);
    this.inbox.abandon(process.token);
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
