import { sharedBuffers } from './shared-buffers.js';

const GIB = 1024 ** 3;

describe('the buffers of Postgres', () => {
  it.each([
    [0.5, '64MB'],
    [1, '64MB'],
    [2, '128MB'],
    [5.5, '352MB'],
    [8, '512MB'],
    [64, '512MB'],
  ])('are a sixteenth of %d GiB, within bounds: %s', (gib, expected) => {
    expect(sharedBuffers(gib * GIB)).toBe(expected);
  });

  it('are a size in whole megabytes on this machine', () => {
    expect(sharedBuffers()).toMatch(/^\d+MB$/);
  });
});
