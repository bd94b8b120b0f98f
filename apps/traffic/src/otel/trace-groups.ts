import { MAX_TRACES_AT_ONCE } from '@signalbox/contracts';
import type { DueTrace } from './assembly.repository.js';

/** What is stored of the traces of a group: it is in memory at once, and becomes one message. */
const MAX_BYTES = 4_194_304;
/** As many as one trace may have. */
const MAX_RECORDS = 2000;

/** Traces in groups that are put together at once; a large trace, and one that has failed before, is alone. */
export function groupsOf(traces: readonly DueTrace[]): DueTrace[][] {
  const groups: DueTrace[][] = [];
  let [bytes, records] = [0, 0];
  for (const trace of traces) {
    const group = groups.at(-1);
    bytes += trace.bytes;
    records += trace.record_count;
    const isFull = group?.length === MAX_TRACES_AT_ONCE || bytes > MAX_BYTES || records > MAX_RECORDS;
    if (group && !isFull && trace.attempts === 0 && group[0]?.attempts === 0) group.push(trace);
    else {
      groups.push([trace]);
      [bytes, records] = [trace.bytes, trace.record_count];
    }
  }
  return groups;
}
