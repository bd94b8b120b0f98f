/** Who wants to hear of which task. */
export class Listeners {
  private readonly known = new Map<string, Set<() => void>>();

  /** Calls back with each news of a task; answers how to stop. */
  add(taskId: string, heard: () => void): () => void {
    const listeners = this.known.get(taskId) ?? new Set();
    this.known.set(taskId, listeners.add(heard));
    return () => {
      listeners.delete(heard);
      if (listeners.size === 0 && this.known.get(taskId) === listeners) this.known.delete(taskId);
    };
  }

  call(taskId: string): void {
    for (const heard of [...(this.known.get(taskId) ?? [])]) heard();
  }
}
