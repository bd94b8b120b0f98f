/** Time to read messages that have already arrived, after this process itself was paused. */
const CONFIRM_MS = 400;

/** After how much silence a call counts as lost. */
export interface Silence {
  /** Before the first message, which confirms that a process received the call. */
  firstMs: number;
  laterMs: number;
}

/** Calls back when a process has ended; returns what stops that. */
export type WatchProcess = (processId: string, ended: () => void) => () => void;

/** Calls back once when no message of a call arrived for a while, or the process that works on it has ended. */
export class SilenceWatch {
  private timer: NodeJS.Timeout;
  private confirming: NodeJS.Timeout | undefined;
  private isConfirmed = false;
  private unwatch: (() => void) | undefined;

  /** `lost` is called with whether a process has confirmed the call. */
  constructor(
    private readonly silence: Silence,
    private readonly watch: WatchProcess,
    private readonly lost: (isConfirmed: boolean) => void,
  ) {
    this.timer = this.start(silence.firstMs);
  }

  /** Restarts the wait: a message of the call arrived. A keepalive has the id of the process that sent it. */
  received(processId?: string): void {
    clearTimeout(this.confirming);
    if (this.isConfirmed || this.silence.firstMs === this.silence.laterMs) this.timer.refresh();
    else {
      clearTimeout(this.timer);
      this.timer = this.start(this.silence.laterMs);
    }
    this.isConfirmed = true;
    if (processId !== undefined) this.unwatch ??= this.watch(processId, () => this.lost(true));
  }

  private start(ms: number): NodeJS.Timeout {
    return setTimeout(() => (this.confirming = setTimeout(() => this.lost(this.isConfirmed), CONFIRM_MS)), ms);
  }

  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.confirming);
    this.unwatch?.();
  }
}
