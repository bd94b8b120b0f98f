import { slowdown } from '@signalbox/platform';

/** Time to read messages that have already arrived, after this process itself was paused. */
const CONFIRM_MS = 400;

/** After how long without a message a call counts as lost, on a machine with free processors. */
export interface InactivityLimits {
  /** Before the first message, which confirms that a process received the call. */
  firstMs: number;
  laterMs: number;
}

/** Calls back when a process has ended; returns what stops that. */
export type WatchProcess = (processId: string, ended: () => void) => () => void;

/**
 * Calls back once when no message of a call arrived for a while, or the process that works on it has ended. On a machine
 * that is slow at the moment the wait is longer, because other processes are late there as well; but not for a call that
 * may be sent again, which costs nothing but a message.
 */
export class InactivityTimeout {
  private timer: NodeJS.Timeout;
  private lastMessage = performance.now();
  private isConfirmed = false;
  private isStopped = false;
  private unwatch: (() => void) | undefined;

  /** `lost` is called with whether a process has confirmed the call. */
  constructor(
    private readonly limits: InactivityLimits,
    private readonly watchProcess: WatchProcess,
    private readonly lost: (isConfirmed: boolean) => void,
    private isRepeatable = false,
  ) {
    slowdown.start();
    this.timer = this.check(limits.firstMs);
  }

  /** Restarts the wait: a message of the call arrived. A keepalive has the id of the process that sent it. */
  received(processId?: string): void {
    this.lastMessage = performance.now();
    this.isConfirmed = true;
    if (processId !== undefined) this.unwatch ??= this.watchProcess(processId, () => this.lost(true));
  }

  /** Waits once more: the call could not be sent again. */
  prolong(): void {
    if (this.isStopped) return;
    this.isRepeatable = false;
    this.lastMessage = performance.now();
    this.timer = this.check(this.left);
  }

  /** Waits once more, from now on: the connection was lost, which explains the silence. */
  restart(): void {
    if (this.isStopped) return;
    this.lastMessage = performance.now();
    clearTimeout(this.timer);
    this.timer = this.check(this.left);
  }

  /** How much of the wait is left, in ms. */
  private get left(): number {
    const { firstMs, laterMs } = this.limits;
    const ms = this.isConfirmed ? laterMs : firstMs;
    return this.lastMessage + (this.isRepeatable ? ms : slowdown.allow(ms)) - performance.now();
  }

  private check(afterMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      const { left } = this;
      this.timer = left > 0 ? this.check(left) : this.confirm();
    }, afterMs);
  }

  private confirm(): NodeJS.Timeout {
    return setTimeout(() => {
      const { left } = this;
      if (left > 0) this.timer = this.check(left);
      else this.lost(this.isConfirmed);
    }, CONFIRM_MS);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.unwatch?.();
  }
}
