import type { OutboxStream, SlotReserver } from '@signalbox/platform';

export class AfterCommit {
  private readonly outboxes: ((streams: readonly OutboxStream[]) => void)[] = [];
  private readonly works: ((kind: string) => void)[] = [];
  private readonly slots = new Map<string, SlotReserver>();

  onOutbox(wake: (streams: readonly OutboxStream[]) => void): void {
    this.outboxes.push(wake);
  }

  onWork(wake: (kind: string) => void): void {
    this.works.push(wake);
  }

  offer(kind: string, slots: SlotReserver): void {
    this.slots.set(kind, slots);
  }

  offeredKinds(): string[] {
    return [...this.slots.keys()];
  }

  slotsOf(kind: string): SlotReserver | undefined {
    return this.slots.get(kind);
  }

  notify(streams: readonly OutboxStream[], kinds: Iterable<string>): void {
    if (streams.length > 0) for (const wake of this.outboxes) wake(streams);
    for (const kind of kinds) for (const wake of this.works) wake(kind);
  }
}
