import type { Verdict } from './measure/report.js';
import type { Stages } from './stages.js';

/** How much of everything; tiny proves that a bench works and says nothing about speed. */
export interface Sizes {
  tiny: boolean;
  rounds: number;
  stages: Stages;
}

/** One comparison, by the name under which it is called. */
export interface Bench {
  name: string;
  says: string;
  run(sizes: Sizes): Promise<Verdict[]>;
}
