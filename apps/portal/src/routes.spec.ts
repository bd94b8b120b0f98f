import { ROUTES } from './routes.js';

it.each(['path', 'key'] as const)('no two pages have the same %s', (field) => {
  const values = ROUTES.flatMap((route) => route[field] ?? []);
  expect(values.filter((value, n) => values.indexOf(value) !== n)).toEqual([]);
});
