import { defineContract, EmptyInput, type EndpointDeclaration } from '@signalbox/contracts';

const home = { name: 'things', service: 'agents', tag: 'Things' };
const plain = { summary: 'Do it', input: EmptyInput, output: EmptyInput };

describe('a contract is refused', () => {
  it('when a path has a parameter that the input lacks', () => {
    expect(() => defineContract(home, { get: { ...plain, get: '/things/{thing_id}' } })).toThrow(
      'things.get: the input has no field for {thing_id} of /things/{thing_id}',
    );
  });

  it('when a batchable field is no field of the input', () => {
    expect(() => defineContract(home, { get: { ...plain, delivery: { batchable: 'thing_id' } } })).toThrow(
      'things.get: batchable names no field of the input',
    );
  });

  it.each([
    { placement: { largeBodyEndpoint: 'missing' } },
    { http: { upload: 'missing' } },
    { reply: { kind: 'chunks', flag: 'stream', endpoint: 'missing' } },
    { reply: { kind: 'follow', flag: 'stream', endpoint: 'missing' } },
    {
      reply: { kind: 'download', field: 'format', value: 'csv', contentType: 'text/csv', endpoint: 'missing' },
    },
  ] satisfies Partial<EndpointDeclaration>[])(
    'when %j is no endpoint of it',
    (declared: Partial<EndpointDeclaration>) => {
      expect(() => defineContract(home, { get: { ...plain, ...declared } })).toThrow(
        'things.get names missing, which is no endpoint of it',
      );
      expect(() => defineContract(home, { get: { ...plain, ...declared }, missing: plain })).not.toThrow();
    },
  );
});
