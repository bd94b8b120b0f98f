/** A name that calls are open under, one after the other. */
interface Slot<Waiting> {
  name: string;
  /** How often a call under the slot was given up, so that its late reply is not taken for that of another. */
  given: number;
  waiting: Waiting | null;
}

/**
 * The calls that wait for a reply, by the token under which it arrives. Tokens of answered calls are used again: the
 * bus looks up every subject it has not seen lately at length. The slots are an array, not a map: a map that entries
 * pass through leaves its outgrown tables behind, each holding the next one, and once one of them is old the garbage
 * collector keeps everything that was ever in the later ones.
 */
export class OpenCalls<Waiting> {
  private readonly slots: Slot<Waiting>[] = [];
  private readonly free: number[] = [];

  /** Notes a call and answers its token. */
  open(waiting: Waiting): string {
    const index =
      this.free.pop() ?? this.slots.push({ name: this.slots.length.toString(36), given: 0, waiting: null }) - 1;
    const slot = this.slots[index] as Slot<Waiting>;
    slot.waiting = waiting;
    return slot.name;
  }

  /** The call that waits under the token. */
  get(token: string): Waiting | undefined {
    return this.slotOf(token)?.waiting ?? undefined;
  }

  /** Takes a call off that was answered; nothing more arrives under its token. */
  answered(token: string): Waiting | undefined {
    return this.take(token, false);
  }

  /** Takes a call off whose reply may still arrive. */
  givenUp(token: string): Waiting | undefined {
    return this.take(token, true);
  }

  private take(token: string, rename: boolean): Waiting | undefined {
    const slot = this.slotOf(token);
    if (!slot?.waiting) return undefined;
    const { waiting } = slot;
    const index = indexOf(token);
    slot.waiting = null;
    if (rename) slot.name = `${index.toString(36)}-${(++slot.given).toString(36)}`;
    this.free.push(index);
    return waiting;
  }

  private slotOf(token: string): Slot<Waiting> | undefined {
    const slot = this.slots[indexOf(token)];
    return slot?.name === token ? slot : undefined;
  }
}

const indexOf = (token: string): number => parseInt(token, 36);
