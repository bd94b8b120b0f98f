import { Steps, type TimelineEvent } from './timeline.js';

const PAGE = 100;
/** Concurrent pages: more would delay other calls of the page. */
const AT_ONCE = 3;
const DRAW_MS = 250;
/** The lines are rebuilt when the steps have grown by this factor, not for each page. */
const GROWTH = 1.5;

export interface TimelinePage {
  data: TimelineEvent[];
  pagination: { offset: number; total: number };
}

export type ReadPage = (page: { offset: number; limit: number }, signal: AbortSignal) => Promise<TimelinePage>;

export class TimelineLoader {
  steps = new Steps();
  /** Events may have moved: all are loaded anew, and shown once complete. */
  isRewritten = false;
  revision = 0;
  total: number | null = null;
  error: unknown = null;
  private isBusy = false;
  private isAsked = false;
  private drawnAt = 0;
  private drawnSize = 0;
  private readonly stop = new AbortController();

  constructor(
    private readonly read: ReadPage,
    private readonly draw: () => void,
  ) {}

  /** Loads what is missing; a call during a load makes it look again afterwards. */
  async load(): Promise<void> {
    this.isAsked = true;
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.isAsked && !this.stop.signal.aborted) {
      this.isAsked = false;
      try {
        await this.loadRest();
        this.error = null;
      } catch (error) {
        this.error = error;
      }
      this.changed(true);
    }
    this.isBusy = false;
  }

  async loadIfLonger(): Promise<void> {
    const found = await this.page(0, 1).catch(() => null);
    if (found && found.pagination.total !== this.total) await this.load();
  }

  end(): void {
    this.stop.abort();
  }

  private async loadRest(): Promise<void> {
    const steps = this.isRewritten && this.steps.size > 0 ? new Steps() : this.steps;
    let total = this.take(steps, await this.page(steps.size));
    while (steps.size < total) {
      const at = steps.size;
      const count = Math.min(AT_ONCE, Math.ceil((total - at) / PAGE));
      const pages = await Promise.all(Array.from({ length: count }, (_, n) => this.page(at + n * PAGE)));
      for (const page of pages) {
        // A page with long texts may be shorter than requested: the next one begins where it ends.
        if (page.pagination.offset !== steps.size || page.data.length === 0) break;
        total = this.take(steps, page);
      }
      if (steps.size === at) break;
    }
    this.steps = steps;
    this.total = total;
  }

  private take(steps: Steps, { data, pagination }: TimelinePage): number {
    steps.add(data);
    if (steps === this.steps) {
      this.total = pagination.total;
      this.changed(this.revision === 0);
    }
    return pagination.total;
  }

  private page(offset: number, limit = PAGE): Promise<TimelinePage> {
    return this.read({ offset, limit }, this.stop.signal);
  }

  private changed(isNow: boolean): void {
    if (this.stop.signal.aborted || (!isNow && Date.now() - this.drawnAt < DRAW_MS)) return;
    this.drawnAt = Date.now();
    if (isNow || this.steps.size >= this.drawnSize * GROWTH) {
      this.drawnSize = this.steps.size;
      this.revision++;
    }
    this.draw();
  }
}
