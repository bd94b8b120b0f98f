import { Child } from '../measure/child.js';
import type { Setups } from '../setups.js';

const startOf = (module: string) => (): Promise<Child> => Child.start(new URL(module, import.meta.url), {});

/** The process that sends requests; it keeps nothing between two loads. */
export const takeGenerator = (setups: Setups): Promise<Child> =>
  setups.take('load generator', startOf('./generator.js'));

/** The process that reads streams; it keeps nothing either. */
export const takeStreamGenerator = (setups: Setups): Promise<Child> =>
  setups.take('stream generator', startOf('./stream-generator.js'));

/** Runs with a process that sends requests. */
export const withGenerator = <R>(setups: Setups, run: (generator: Child) => Promise<R>): Promise<R> =>
  setups.on('load generator', startOf('./generator.js'), run);
