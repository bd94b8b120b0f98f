/** Bytes of a chunked reply that may be sent before the receiver reports how many it has read. */
export const WINDOW_BYTES = 262_144;

/** The subject on which the callers of a service report bytes they have read, or that they have left. */
export const controlSubject = (service: string): string => `flow.${service}`;

/** One call that its caller can abandon: whether the caller still waits, and how many bytes it has room for. */
export class CreditWindow {
  private readonly controller = new AbortController();
  private room = WINDOW_BYTES;
  private wake: () => void = () => undefined;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Resolves when there is room for another chunk, or the caller has left. */
  async ready(): Promise<void> {
    while (this.room <= 0 && !this.signal.aborted) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  /** Lets the sender go on without reports: the connection over which they come was lost. */
  release(): void {
    this.room = Infinity;
    this.wake();
  }

  spend(bytes: number): void {
    this.room -= bytes;
  }

  /** Takes a report of the caller: the number of bytes it has read, or nothing when it has left. */
  receive(payload: Uint8Array): void {
    if (payload.length === 0) this.controller.abort();
    else this.room += Number(Buffer.from(payload).toString()) || 0;
    this.wake();
  }
}
