import { useEffect, useMemo, useReducer } from 'preact/hooks';
import type { Signalbox, Task } from '@signalbox/sdk';
import { usePortal } from '../../api/portal.js';
import { type Step, Steps, type TimelineEvent } from '../../rules/timeline.js';

const PAGE = 100;
/** Pages that are asked for at once: more would hold up the other calls of the page. */
const AT_ONCE = 3;
/** Between two drawings while pages arrive. */
const DRAW_MS = 250;
/** The lines are made again when there are so many times more steps: otherwise each page would make all of them again. */
const GROWTH = 1.5;

/** The steps of a task as far as they are loaded. */
export interface LoadedSteps {
  steps: readonly Step[];
  /** Counts the changes of `steps` that are worth drawing; it keeps its identity. */
  revision: number;
  events: number;
  total: number | null;
  error: unknown;
  retry: () => void;
}

/** Loads a timeline from its beginning on, page by page. */
class TimelineLoader {
  readonly steps = new Steps();
  revision = 0;
  total: number | null = null;
  error: unknown = null;
  private isBusy = false;
  private isAsked = false;
  private drawnAt = 0;
  private drawnSize = 0;
  private readonly stop = new AbortController();

  constructor(
    private readonly api: Signalbox,
    private readonly task: Pick<Task, 'id' | 'agent_id'>,
    private readonly draw: () => void,
  ) {}

  /** Loads what is not there yet; asked for while it loads, it looks again afterwards. */
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

  end(): void {
    this.stop.abort();
  }

  private async loadRest(): Promise<void> {
    const first = await this.page(this.steps.size);
    this.take(first);
    while (this.steps.size < (this.total ?? 0)) {
      const at = this.steps.size;
      const count = Math.min(AT_ONCE, Math.ceil(((this.total ?? 0) - at) / PAGE));
      const pages = await Promise.all(Array.from({ length: count }, (_, n) => this.page(at + n * PAGE)));
      for (const page of pages) {
        // A page may be shorter than asked, when its texts are long: the next one begins where it ends.
        if (page.pagination.offset !== this.steps.size || page.data.length === 0) break;
        this.take(page);
      }
      if (this.steps.size === at) return;
    }
  }

  private take({ data, pagination }: { data: unknown[]; pagination: { total: number } }): void {
    this.steps.add(data as TimelineEvent[]);
    this.total = pagination.total;
    this.changed(this.revision === 0);
  }

  private page(offset: number) {
    const { id: task_id, agent_id } = this.task;
    const asked = { agent_id, task_id, offset, limit: PAGE, include_children: true };
    return this.api.agents.listTaskTimeline(asked, { signal: this.stop.signal }).then((page) => page);
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

/** The timeline of a task with those of its sub-agents; `news` says that more may be there. */
export function useTimeline(task: Pick<Task, 'id' | 'agent_id'>, news: unknown): LoadedSteps {
  const { api } = usePortal();
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const loader = useMemo(() => new TimelineLoader(api, task, () => draw(undefined)), [task.id]);
  useEffect(() => void loader.load(), [loader, news]);
  useEffect(() => () => loader.end(), [loader]);
  const { steps, revision, total, error } = loader;
  return { steps: steps.list, events: steps.size, revision, total, error, retry: () => void loader.load() };
}
