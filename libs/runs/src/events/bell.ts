/** Wakes one waiter; a ring that comes before the wait is not lost. */
export class Bell {
  private rung = false;
  private wake: () => void = () => undefined;

  ring(): void {
    this.rung = true;
    this.wake();
  }

  /** Waits for a ring, at most so many milliseconds. */
  async wait(ms: number): Promise<void> {
    if (!this.rung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.rung = false;
  }
}
