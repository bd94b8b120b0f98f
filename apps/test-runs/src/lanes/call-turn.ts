/** Lets one of the two places of a lane call at a time. */
export class CallTurn {
  private isHeld = false;
  private next: (() => void) | null = null;

  /** Waits until the other place has ended its call; false when that takes longer than `maxMs`. */
  async take(maxMs: number): Promise<boolean> {
    if (!this.isHeld) {
      this.isHeld = true;
      return true;
    }
    return new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => {
        this.next = null;
        resolve(false);
      }, maxMs);
      this.next = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  /** Passes the turn to the place that waits. */
  release(): void {
    const { next } = this;
    this.next = null;
    if (next) next();
    else this.isHeld = false;
  }
}
