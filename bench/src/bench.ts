import type { Verdict } from './measure/report.js';
import type { Setups } from './setups.js';

/** Sizes of a run; tiny proves that a bench works and is no measurement of speed. */
export interface Sizes {
  tiny: boolean;
  rounds: number;
  /** Items of a test run, where a bench takes another number of them than its own. */
  items?: number | undefined;
  /** Runs the product alone where its goal is no ratio: the base of P15 takes minutes a round. */
  withoutBase?: boolean;
  /** The beginning of the names of the floods to measure; by default all. */
  flood?: string | undefined;
  setups: Setups;
}

/** One comparison, by the name of its command. */
export interface Bench {
  name: string;
  description: string;
  run(sizes: Sizes): Promise<Verdict[]>;
}
