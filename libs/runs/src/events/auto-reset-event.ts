/** Wakes one waiter; a `set` before the wait ends that wait at once. */
export class AutoResetEvent {
  private isSet = false;
  private wake: () => void = () => undefined;

  set(): void {
    this.isSet = true;
    this.wake();
  }

  /** Resolves after `set`, at the latest after `ms` milliseconds. */
  async wait(ms: number): Promise<void> {
    if (!this.isSet)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.isSet = false;
  }
}
