/** Callbacks by the id of their run. */
export class Listeners {
  private readonly byRun = new Map<string, Set<() => void>>();

  /** Adds a callback for a run; returns the function that removes it. */
  add(runId: string, callback: () => void): () => void {
    const listeners = this.byRun.get(runId) ?? new Set();
    this.byRun.set(runId, listeners.add(callback));
    return () => {
      listeners.delete(callback);
      if (listeners.size === 0 && this.byRun.get(runId) === listeners) this.byRun.delete(runId);
    };
  }

  call(runId: string): void {
    for (const callback of [...(this.byRun.get(runId) ?? [])]) callback();
  }
}

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
