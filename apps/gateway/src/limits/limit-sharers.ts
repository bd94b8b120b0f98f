import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { BusConnection, Every } from '@signalbox/bus';

const SUBJECT = 'broadcast.limits';
const ALIVE_MS = 1000;
/** A process that is silent while this one receives so many messages that it sent itself has ended without notice. */
const MISSED = 10;
/** How long a process that starts waits for the others, so that it does not begin with the share of fewer. */
const MEET_MS = 200;
const MAX_MEET_MS = 1000;

/** Nest token of the number of processes assumed until they have announced themselves. */
export const ASSUMED_SHARERS = Symbol('assumed sharers');

interface Message {
  /** `present` is the reply to a process that starts. */
  kind: 'alive' | 'present' | 'gone';
  from: string;
}

/**
 * The processes that grant the limits of a key together: gateways and those that serve completions. They announce
 * themselves once a second. Their silence is measured in messages of this process that came back from the bus, so
 * neither a bus that is away nor a pause of this process changes the count.
 */
@Injectable()
export class LimitSharers implements OnModuleInit, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  /** The number of own regular messages that were received before the latest one of each other process. */
  private readonly others = new Map<string, number>();
  private received = 0;
  private count: number;
  private readonly dependents: ((count: number) => void)[] = [];
  private unlisten: () => void = () => undefined;
  private met: () => void = () => undefined;

  constructor(
    private readonly bus: BusConnection,
    @Inject(ASSUMED_SHARERS) assumed: number,
  ) {
    this.count = assumed;
  }

  /** Calls back with the number of processes, this one included, now and whenever it changes. */
  follow(then: (count: number) => void): void {
    this.dependents.push(then);
    then(this.count);
  }

  /** Announces this process, and waits for those that run. */
  async onModuleInit(): Promise<void> {
    this.unlisten = this.bus.listen(SUBJECT, (payload) =>
      this.receive(JSON.parse(Buffer.from(payload).toString()) as Message),
    );
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, MAX_MEET_MS);
      this.met = () => {
        clearTimeout(timer);
        setTimeout(resolve, MEET_MS);
      };
      this.reportAlive();
    });
    this.update();
  }

  @Every(ALIVE_MS, 'this process could not announce that it grants limits')
  reportAlive(): void {
    this.send('alive');
  }

  beforeApplicationShutdown(): void {
    this.unlisten();
    this.send('gone');
  }

  private receive({ kind, from }: Message): void {
    if (from === this.id) {
      if (kind === 'alive' && ++this.received === 1) return this.met();
    } else if (kind === 'gone') {
      this.others.delete(from);
    } else {
      const isNew = !this.others.has(from);
      this.others.set(from, this.received);
      // A process that starts learns of this one at once.
      if (isNew && kind === 'alive') this.send('present');
    }
    this.update();
  }

  /** Before this process has received its own message it knows of no other. */
  private update(): void {
    for (const [id, at] of this.others) if (this.received - at > MISSED) this.others.delete(id);
    const count = this.others.size + 1;
    if (this.received === 0 || count === this.count) return;
    this.count = count;
    for (const then of this.dependents) then(count);
  }

  private send(kind: Message['kind']): void {
    this.bus.announce(SUBJECT, JSON.stringify({ kind, from: this.id }));
  }
}
