import { useEffect, useState } from 'preact/hooks';
import { usePortal } from '../api/portal.js';
import { type LiveRun, NOTHING_SEEN, type RunEvent, seeing } from '../rules/live-run.js';

/** Draws once per frame, however many events arrive. */
export async function follow(stream: AsyncIterable<unknown>, draw: (seen: LiveRun) => void): Promise<LiveRun> {
  let seen = NOTHING_SEEN;
  let isWaiting = false;
  for await (const event of stream) {
    seen = seeing(seen, event as RunEvent);
    if (isWaiting) continue;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      draw(seen);
    });
  }
  draw(seen);
  return seen;
}

export function useRunStream(runId: string): { seen: LiveRun; error: unknown } {
  const { api } = usePortal();
  const [seen, setSeen] = useState(NOTHING_SEEN);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const stop = new AbortController();
    setSeen(NOTHING_SEEN);
    setError(null);
    follow(api.workflows.streamRun({ run_id: runId }, { signal: stop.signal }), (now) => {
      if (!stop.signal.aborted) setSeen(now);
    }).catch((problem: unknown) => {
      if (!stop.signal.aborted) setError(problem);
    });
    return () => stop.abort();
  }, [runId]);
  return { seen, error };
}
