import { slowdown } from '@signalbox/platform';

/** Time to read messages that arrived while this process was paused. */
const CONFIRM_MS = 400;

/** Silence after which a call counts as lost, on a machine with free processors. */
export interface InactivityLimits {
  firstMs: number;
  laterMs: number;
}

export type WatchProcess = (processId: string, ended: () => void) => () => void;

/**
 * Calls back once when a call has been silent for too long or its process has ended. The limit grows while this machine
 * is slow, because other processes are then late as well, except for repeatable calls, which are cheap to send again.
 */
export class InactivityTimeout {
  private timer: NodeJS.Timeout;
  private lastMessage = performance.now();
  private isConfirmed = false;
  private isStopped = false;
  private unwatch: (() => void) | undefined;

  constructor(
    private readonly limits: InactivityLimits,
    private readonly watchProcess: WatchProcess,
    private readonly lost: (isConfirmed: boolean) => void,
    private isRepeatable = false,
  ) {
    slowdown.start();
    this.timer = this.check(limits.firstMs);
  }

  /** A message of the call arrived; keepalives name the process that sent them. */
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

  /** Waits once more from now on: a lost connection explains the silence. */
  restart(): void {
    if (this.isStopped) return;
    this.lastMessage = performance.now();
    clearTimeout(this.timer);
    this.timer = this.check(this.left);
  }

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
