/** Callbacks by the id of the run they are interested in. */
export class Listeners {
  private readonly known = new Map<string, Set<() => void>>();

  /** Adds a callback for a run; returns how to remove it. */
  add(runId: string, callback: () => void): () => void {
    const listeners = this.known.get(runId) ?? new Set();
    this.known.set(runId, listeners.add(callback));
    return () => {
      listeners.delete(callback);
      if (listeners.size === 0 && this.known.get(runId) === listeners) this.known.delete(runId);
    };
  }

  call(runId: string): void {
    for (const callback of [...(this.known.get(runId) ?? [])]) callback();
  }
}
