import { readFileSync } from 'node:fs';
import { CONTRACTS } from '@signalbox/contracts';
import { openApi } from '@signalbox/openapi';

const { paths } = openApi(CONTRACTS) as { paths: Record<string, Record<string, unknown>> };

/** The endpoints of a list next to this test; names of path parameters are not compared. */
const listed = (file: string): string[] =>
  readFileSync(new URL(`../../test/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(nameless);

const nameless = (endpoint: string): string => endpoint.replaceAll(/\{[^}]*\}/g, '{}');

const served = Object.entries(paths)
  .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`))
  .map((endpoint) => nameless(endpoint.replace('/api/v1', '')))
  // PATCH is another name of PUT on every path that has both (docs/api/README.md).
  .filter((endpoint) => !endpoint.startsWith('PATCH '));

describe('the endpoints of the API reference', () => {
  const expected = listed('endpoints.txt');

  it('are all served', () => {
    expect(expected.filter((endpoint) => !served.includes(endpoint))).toEqual([]);
  });

  it('are all that is served', () => {
    expect(served.filter((endpoint) => !expected.includes(endpoint))).toEqual([]);
  });
});
