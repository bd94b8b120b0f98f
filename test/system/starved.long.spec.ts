import { continuesNextToBusyLoops } from './starved/everything.js';

// The short form, in `npm test`, is starved.spec.ts.
describe('for a minute', () => continuesNextToBusyLoops(60_000));
