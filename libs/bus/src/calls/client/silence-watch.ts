/** Time to read messages that have already arrived, after this process itself was paused. */
const CONFIRM_MS = 400;

/** Calls back once when no message of a call arrived for a while. */
export class SilenceWatch {
  private readonly timer: NodeJS.Timeout;
  private confirming: NodeJS.Timeout | undefined;

  constructor(afterMs: number, lost: () => void) {
    this.timer = setTimeout(() => (this.confirming = setTimeout(lost, CONFIRM_MS)), afterMs);
  }

  /** Restarts the wait: a message of the call arrived. */
  received(): void {
    clearTimeout(this.confirming);
    this.timer.refresh();
  }

  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.confirming);
  }
}
