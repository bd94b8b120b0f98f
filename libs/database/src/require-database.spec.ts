import { requireVersion } from './require-database.js';

it.each([180_000, 180_004, 190_000])('Postgres %i is good', (version) =>
  expect(() => requireVersion(version)).not.toThrow(),
);

it('an older Postgres is named, with the one that is needed', () =>
  expect(() => requireVersion(170_010)).toThrow('Postgres 18 or later is needed, and the database is Postgres 17.10'));
