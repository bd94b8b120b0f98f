import { restartsEverything } from './rolling/everything.js';

// The full form, in `npm run check:long`, is rolling-restart.long.spec.ts.
describe('a rolling restart of every service under calls of four seconds', () => restartsEverything(4000, 10, 240_000));
