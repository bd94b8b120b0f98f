import { defineContract, EmptyInput } from '@signalbox/contracts';

const home = { name: 'things', service: 'agents', tag: 'Things' };
const plain = { summary: 'Do it', input: EmptyInput, output: EmptyInput };

describe('a contract is refused', () => {
  it('when a path has a parameter that the input lacks', () => {
    expect(() => defineContract(home, { get: { ...plain, get: '/things/{thing_id}' } })).toThrow(
      'things.get: the input has no field for {thing_id} of /things/{thing_id}',
    );
  });

  it('when a batchable field is no field of the input', () => {
    expect(() => defineContract(home, { get: { ...plain, batchable: 'thing_id' } })).toThrow(
      'things.get: batchable names no field of the input',
    );
  });

  it.each([
    { whenLarge: 'missing' },
    { upload: 'missing' },
    { chunked: { flag: 'stream', endpoint: 'missing' } },
    { follow: { flag: 'stream', endpoint: 'missing' } },
    { downloadWhen: { field: 'format', value: 'csv', contentType: 'text/csv', endpoint: 'missing' } },
  ])('when %j is no endpoint of it', (declared) => {
    expect(() => defineContract(home, { get: { ...plain, ...declared } })).toThrow(
      'things.get names missing, which is no endpoint of it',
    );
    expect(() => defineContract(home, { get: { ...plain, ...declared }, missing: plain })).not.toThrow();
  });
});
