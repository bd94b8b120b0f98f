import { completesWithoutThem } from './away/completions.js';

// The short form, in `npm test`, is dependencies-away.spec.ts.
describe('for more than half a minute', () => completesWithoutThem(31_000));
