/** The time that messages which have arrived already get to be read, after this process itself stood still. */
const CONFIRM_MS = 400;

/** Calls back once when nothing was heard of a call for a while. */
export class SilenceWatch {
  private readonly timer: NodeJS.Timeout;
  private confirming: NodeJS.Timeout | undefined;

  constructor(afterMs: number, lost: () => void) {
    this.timer = setTimeout(() => (this.confirming = setTimeout(lost, CONFIRM_MS)), afterMs);
  }

  /** Something was heard. */
  heard(): void {
    clearTimeout(this.confirming);
    this.timer.refresh();
  }

  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.confirming);
  }
}
