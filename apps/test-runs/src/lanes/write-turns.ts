/**
 * Lets only some writes of lanes run at once, in the order of their arrival. A process executes more lanes than it has
 * database connections; without a bound their writes would hold all of them, and calls of clients would find none.
 */
export class WriteTurns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  async run<T>(write: () => Promise<T>): Promise<T> {
    if (this.running >= this.atOnce) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await write();
    } finally {
      // The turn passes to the next write, or ends.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
