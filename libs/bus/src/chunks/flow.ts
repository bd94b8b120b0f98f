/** The bytes of a reply in pieces that may be on their way before its receiver has said that it took some. */
export const WINDOW_BYTES = 262_144;

/** Where the callers of a service say that they take more of a reply, or that they have left. */
export const flowSubject = (service: string): string => `flow.${service}`;

/** One call that its caller can abandon: whether it still waits and how much of a reply in pieces it has room for. */
export class Flow {
  private readonly controller = new AbortController();
  private room = WINDOW_BYTES;
  private wake: () => void = () => undefined;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Resolves when there is room for another piece, or nobody waits any more. */
  async ready(): Promise<void> {
    while (this.room <= 0 && !this.signal.aborted) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  spend(bytes: number): void {
    this.room -= bytes;
  }

  /** What the caller says: a number of bytes it has taken, or nothing at all when it has left. */
  hear(payload: Uint8Array): void {
    if (payload.length === 0) this.controller.abort();
    else this.room += Number(Buffer.from(payload).toString()) || 0;
    this.wake();
  }
}
