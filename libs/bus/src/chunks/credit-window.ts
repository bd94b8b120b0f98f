/** Bytes that may be sent before the receiver reports how many it has read. */
export const WINDOW_BYTES = 262_144;

/** A receiver reads or leaves sooner, because its call lasts an hour at most. One that was killed does neither. */
const GONE_MS = 3_700_000;

/** Callers report here the bytes they have read, or that they have left. */
export const controlSubject = (service: string): string => `flow.${service}`;

const LEFT = new Uint8Array();

/** Flow control of one call: whether the caller still waits, and how many bytes it has room for. */
export class CreditWindow {
  private readonly controller = new AbortController();
  private room = WINDOW_BYTES;
  private wake: () => void = () => undefined;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  async ready(): Promise<void> {
    while (this.room <= 0 && !this.signal.aborted) await this.reported();
  }

  private reported(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.receive(LEFT), GONE_MS).unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The connection over which reports come was lost: sends on without them. */
  release(): void {
    this.room = Infinity;
    this.wake();
  }

  spend(bytes: number): void {
    this.room -= bytes;
  }

  /** The number of bytes read; empty when the caller has left. */
  receive(payload: Uint8Array): void {
    if (payload.length === 0) this.controller.abort();
    else this.room += Number(Buffer.from(payload).toString()) || 0;
    this.wake();
  }
}
