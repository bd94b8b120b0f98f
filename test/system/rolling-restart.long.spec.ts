import { restartsEverything } from './rolling/everything.js';

// The short form, in `npm test`, is rolling-restart.spec.ts.
describe('a rolling restart of every service under calls of forty seconds', () =>
  restartsEverything(40_000, 300, 600_000));
