import { continuesWithoutEach } from './away/everything.js';

// The short form, in `npm test`, is dependencies-away.spec.ts.
describe('for more than half a minute', () => continuesWithoutEach(31_000));
