import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { BusConnection, Every } from '@signalbox/bus';
import { slowdown } from '@signalbox/platform';
import { RequestLog } from './request-log.js';

const SUBJECT = 'broadcast.writers';
const ALIVE_MS = 1000;
/** Without a message for this time a writer is gone; while it records a large call it is silent for a second or two. */
const SILENT_MS = 3500;
/** How long a read waits for records that are being stored, on an idle machine. */
const MAX_FLUSH_MS = 6000;
/** However slow the machine is: half of the time limit of the reading call, which then returns what is stored. */
const LONGEST_MS = 15_000;
const LOOK_MS = 250;

interface Message {
  kind: 'alive' | 'gone' | 'flush' | 'flushed';
  from: string;
  flush?: string;
}

interface Flush {
  missing: Set<string>;
  done: () => void;
}

/**
 * The processes that record model calls, which announce themselves once a second. A read requests a flush from the
 * others, so that a record is found through any process.
 */
@Injectable()
export class RecordWriters implements OnModuleInit, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  /** Time of the last message of each other writer, by the monotonic clock of this process. */
  private readonly others = new Map<string, number>();
  private readonly flushes = new Map<string, Flush>();
  private unlisten: () => void = () => undefined;

  constructor(
    private readonly bus: BusConnection,
    private readonly log: RequestLog,
  ) {}

  onModuleInit(): void {
    slowdown.start();
    this.unlisten = this.bus.listen(SUBJECT, (payload) =>
      this.receive(JSON.parse(Buffer.from(payload).toString()) as Message),
    );
  }

  @Every(ALIVE_MS, 'this process could not announce that it records calls')
  reportAlive(): void {
    this.send('alive');
  }

  beforeApplicationShutdown(): void {
    this.unlisten();
    this.send('gone');
  }

  /**
   * Resolves when every writer, this one too, has stored its accepted records, or after a time limit; null when there
   * is nothing to wait for.
   */
  flush(): Promise<unknown> | null {
    for (const id of this.others.keys()) if (!this.isPresent(id)) this.others.delete(id);
    const own = this.log.settle(atMost(MAX_FLUSH_MS));
    if (this.others.size === 0) return own;
    return Promise.all([own, this.flushed(randomUUID(), new Set(this.others.keys()))]);
  }

  private isPresent(writer: string): boolean {
    return performance.now() - (this.others.get(writer) ?? -Infinity) <= atMost(SILENT_MS);
  }

  private async flushed(flush: string, missing: Set<string>): Promise<void> {
    const started = performance.now();
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((done) => {
      timer = setInterval(() => {
        const isPresent = [...missing].some((id) => this.isPresent(id));
        if (!isPresent || performance.now() - started >= atMost(MAX_FLUSH_MS)) done();
      }, LOOK_MS);
      this.flushes.set(flush, { missing, done });
      this.send('flush', flush);
    });
    clearInterval(timer);
    this.flushes.delete(flush);
  }

  private receive({ kind, from, flush }: Message): void {
    if (from === this.id) return;
    const isNew = !this.others.has(from);
    if (kind === 'gone') this.others.delete(from);
    else this.others.set(from, performance.now());
    // Otherwise the new writer would wait for up to a second.
    if (kind === 'alive' && isNew) this.send('alive');
    if (kind === 'flush' && flush !== undefined) void this.store(flush);
    for (const [id, each] of this.flushes)
      if (kind === 'gone' || (kind === 'flushed' && id === flush)) this.settled(each, from);
  }

  private settled({ missing, done }: Flush, writer: string): void {
    missing.delete(writer);
    if (missing.size === 0) done();
  }

  private async store(flush: string): Promise<void> {
    await this.log.settle(atMost(MAX_FLUSH_MS));
    this.send('flushed', flush);
  }

  private send(kind: Message['kind'], flush?: string): void {
    this.bus.announce(SUBJECT, JSON.stringify({ kind, from: this.id, flush }));
  }
}

const atMost = (ms: number): number => Math.min(slowdown.allow(ms), LONGEST_MS);
