import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { BusConnection, Every } from '@signalbox/bus';

const SUBJECT = 'broadcast.limits';
const ALIVE_MS = 1000;
/** Another process that stays silent while this one receives so many of its own messages has died. */
const MISSED = 10;
/** A starting process waits for the others, so that it does not begin with too large a share. */
const MEET_MS = 200;
const MAX_MEET_MS = 1000;

/** Nest token: the number of processes assumed until they have announced themselves. */
export const ASSUMED_SHARERS = Symbol('assumed sharers');

interface Message {
  /** `present` replies to a process that starts. */
  kind: 'alive' | 'present' | 'gone';
  from: string;
}

/**
 * The processes that enforce the limits of a key together: gateways and those that serve completions. Each announces
 * itself once a second. Silence is measured in own messages that came back from NATS, so neither an outage of NATS nor
 * a pause of this process changes the count.
 */
@Injectable()
export class LimitSharers implements OnModuleInit, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  /** By process id, the value of `received` at its latest message. */
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

  /** Calls back with the number of processes, including this one, now and whenever it changes. */
  follow(then: (count: number) => void): void {
    this.dependents.push(then);
    then(this.count);
  }

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
      if (isNew && kind === 'alive') this.send('present');
    }
    this.update();
  }

  /** Does nothing until the first own message came back: until then no other process is known. */
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
