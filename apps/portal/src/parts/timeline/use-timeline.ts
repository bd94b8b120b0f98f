import { useEffect, useMemo, useReducer } from 'preact/hooks';
import type { Signalbox, Task } from '@signalbox/sdk';
import { useIsElsewhere } from '../../api/elsewhere.js';
import { usePortal } from '../../api/portal.js';
import { isOpen } from '../../rules/states.js';
import type { Step, TimelineEvent } from '../../rules/timeline.js';
import { type ReadPage, TimelineLoader } from '../../rules/timeline-loader.js';

/** For timelines that change without an event. */
const POLL_MS = 5000;

export interface LoadedSteps {
  steps: readonly Step[];
  /** Counts the changes of `steps` that are worth drawing; `steps` keeps its identity. */
  revision: number;
  events: number;
  total: number | null;
  error: unknown;
  retry: () => void;
}

const pagesOf =
  (api: Signalbox, { id: task_id, agent_id }: Pick<Task, 'id' | 'agent_id'>): ReadPage =>
  async (page, signal) => {
    const { data, pagination } = await api.agents.listTaskTimeline(
      { agent_id, task_id, ...page, include_children: true },
      { signal },
    );
    return { data: data as unknown as TimelineEvent[], pagination };
  };

/** Includes sub-agents; a change of `news` reloads. */
export function useTimeline(task: Pick<Task, 'id' | 'agent_id' | 'trigger' | 'status'>, news: unknown): LoadedSteps {
  const { api } = usePortal();
  const isElsewhere = useIsElsewhere(task);
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const loader = useMemo(() => new TimelineLoader(pagesOf(api, task), () => draw(undefined)), [task.id]);
  useEffect(() => {
    loader.isRewritten = isElsewhere;
    void loader.load();
  }, [loader, news, isElsewhere]);
  // A timeline of spans is rewritten with every part of its trace, without an event.
  const isWatched = isElsewhere && isOpen(task.status);
  useEffect(() => {
    if (!isWatched) return;
    const timer = setInterval(() => void loader.loadIfLonger(), POLL_MS);
    return () => clearInterval(timer);
  }, [loader, isWatched]);
  useEffect(() => () => loader.end(), [loader]);
  const { steps, revision, total, error } = loader;
  return { steps: steps.list, events: steps.size, revision, total, error, retry: () => void loader.load() };
}
