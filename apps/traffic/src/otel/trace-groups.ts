import { MAX_TRACES_AT_ONCE } from '@signalbox/contracts';
import type { DueTrace } from './assembly.repository.js';

/** Of the stored traces of a group: it is held in memory and becomes one message. */
const MAX_BYTES = 4_194_304;
const MAX_RECORDS = 2000;

/** Groups that are assembled concurrently; a large trace, and one that has failed before, is alone. */
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
