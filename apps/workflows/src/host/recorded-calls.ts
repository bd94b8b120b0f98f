/** As many requests as a transform gets at most. */
const KEPT = 200;

/** The requests under which the model calls of a run and of its nested runs are recorded in its session. */
export class RecordedCalls {
  private readonly ids = new Set<string>();

  add(requestId: string): void {
    this.ids.add(requestId);
    const [oldest = requestId] = this.ids;
    if (this.ids.size > KEPT) this.ids.delete(oldest);
  }

  get newestFirst(): string[] {
    return [...this.ids].reverse();
  }
}
