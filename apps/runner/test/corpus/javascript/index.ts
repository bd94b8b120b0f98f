import type { Attack } from './attack.js';
import { constructors } from './constructors.js';
import { earlierRuns } from './earlier-runs.js';
import { egress } from './egress.js';
import { engine } from './engine.js';
import { errors } from './errors.js';
import { hostFunctions } from './host-functions.js';
import { modules } from './modules.js';
import { promises } from './promises.js';
import { values } from './values.js';

/** The hostile scripts in JavaScript, by family; bombs are in a separate list. */
export const ATTACKS: readonly Attack[] = [
  ...constructors,
  ...promises,
  ...errors,
  ...values,
  ...hostFunctions,
  ...engine,
  ...modules,
  ...earlierRuns,
  ...egress,
];
