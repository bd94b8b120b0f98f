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
