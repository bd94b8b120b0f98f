import { continuesWithoutEach } from './away/everything.js';

// Longer than a key is cached without confirmation. The full form, in `npm run check:long`, is
// dependencies-away.long.spec.ts.
describe('for ten seconds', () => continuesWithoutEach(10_000));
