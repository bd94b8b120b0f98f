/** A token that calls are open under, one after the other. */
interface Slot<Waiting> {
  name: string;
  /** How often a call of the slot was abandoned, so that a late reply is not matched to another call. */
  generation: number;
  waiting: Waiting | null;
}

/**
 * The calls that wait for a reply, by the token under which it arrives. Tokens are reused, because the bus resolves a
 * subject it has not seen lately by a full search. The slots are an array, not a map: a map with a high turnover
 * leaves its outgrown tables behind, each referencing the next one, and once one of them is in the old space the
 * garbage collector keeps everything that was ever in the later ones.
 */
export class OpenCalls<Waiting> {
  private readonly slots: Slot<Waiting>[] = [];
  private readonly free: number[] = [];

  /** Registers a call and returns its token. */
  open(waiting: Waiting): string {
    const index =
      this.free.pop() ?? this.slots.push({ name: this.slots.length.toString(36), generation: 0, waiting: null }) - 1;
    const slot = this.slots[index] as Slot<Waiting>;
    slot.waiting = waiting;
    return slot.name;
  }

  /** The call that waits under the token. */
  get(token: string): Waiting | undefined {
    return this.slotOf(token)?.waiting ?? undefined;
  }

  /** Removes a call that has its reply; nothing more arrives under its token. */
  removeReplied(token: string): Waiting | undefined {
    return this.take(token, false);
  }

  /** Removes a call whose reply may still arrive. */
  removeAbandoned(token: string): Waiting | undefined {
    return this.take(token, true);
  }

  private take(token: string, rename: boolean): Waiting | undefined {
    const slot = this.slotOf(token);
    if (!slot?.waiting) return undefined;
    const { waiting } = slot;
    const index = indexOf(token);
    slot.waiting = null;
    if (rename) slot.name = `${index.toString(36)}-${(++slot.generation).toString(36)}`;
    this.free.push(index);
    return waiting;
  }

  private slotOf(token: string): Slot<Waiting> | undefined {
    const slot = this.slots[indexOf(token)];
    return slot?.name === token ? slot : undefined;
  }
}

const indexOf = (token: string): number => parseInt(token, 36);
