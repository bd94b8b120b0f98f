import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from allocating short-lived objects in the old space. Code that runs while a burst of requests is alive
 * teaches V8 that its objects last, and from then on they are allocated there permanently: unreachable ones retain
 * what they point to until the next full collection. In one process out of three the gateway then spent a third more
 * of its time on a request. See docs/measurements/010-young-objects.md.
 */
export const disablePretenuring = (): void => setFlagsFromString('--no-allocation-site-pretenuring');
