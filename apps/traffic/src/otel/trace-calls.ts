import type { ExternalTask, ExternalTrace } from '@signalbox/contracts';

/** The bus carries at least this much, with room for the rest of a message. A single task is never larger. */
const MAX_CALL_BYTES = 10 * 1_048_576;

/** Tasks too large for one call are split in their order, so that a parent is stored before its children. */
export function callsOf(traces: readonly ExternalTrace[], maxBytes = MAX_CALL_BYTES): ExternalTrace[][] {
  const calls: ExternalTrace[][] = [];
  let used = Infinity;
  for (const trace of traces) {
    let tasks: ExternalTask[] | null = null;
    for (const task of trace.tasks) {
      const bytes = Buffer.byteLength(JSON.stringify(task));
      if (used + bytes > maxBytes) {
        calls.push([]);
        used = 0;
        tasks = null;
      }
      used += bytes;
      if (tasks) tasks.push(task);
      else calls.at(-1)?.push({ ...trace, tasks: (tasks = [task]) });
    }
  }
  return calls;
}
