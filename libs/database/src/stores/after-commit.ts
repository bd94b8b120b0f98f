import type { SlotReserver } from '@signalbox/platform';

/** Tells the parts of this process that a commit has added messages or work for them. */
export class AfterCommit {
  private readonly outboxes: (() => void)[] = [];
  private readonly works: ((kind: string) => void)[] = [];
  private readonly hands = new Map<string, SlotReserver>();

  onOutbox(wake: () => void): void {
    this.outboxes.push(wake);
  }

  onWork(wake: (kind: string) => void): void {
    this.works.push(wake);
  }

  offer(kind: string, hands: SlotReserver): void {
    this.hands.set(kind, hands);
  }

  handsOf(kind: string): SlotReserver | undefined {
    return this.hands.get(kind);
  }

  tell(outbox: boolean, kinds: Iterable<string>): void {
    if (outbox) for (const wake of this.outboxes) wake();
    for (const kind of kinds) for (const wake of this.works) wake(kind);
  }
}
