import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from allocating short-lived objects in the old space. Code that runs during a burst of requests teaches V8
 * that its objects last; from then on they are allocated there, and unreachable ones retain what they point to until
 * the next full collection. One gateway process in three then spent a third more of its time on a request
 * (docs/measurements/010-young-objects.md).
 */
export const disablePretenuring = (): void => setFlagsFromString('--no-allocation-site-pretenuring');
