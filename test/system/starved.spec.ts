import { continuesNextToBusyLoops } from './starved/everything.js';

// The full form, in `npm run check:long`, is starved.long.spec.ts.
describe('for a quarter of a minute', () => continuesNextToBusyLoops(15_000));
