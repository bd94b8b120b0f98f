import { boundedOutput } from './bounded-output.js';

it('keeps outputs up to 16 KiB and the beginning of larger ones', () => {
  expect(boundedOutput(undefined)).toBe('null');
  expect(boundedOutput({ a: 'x'.repeat(16_000) })).toBe(JSON.stringify({ a: 'x'.repeat(16_000) }));
  const cut = JSON.parse(boundedOutput({ a: '🙂'.repeat(10_000) })) as {
    truncated: boolean;
    bytes: number;
    excerpt: string;
  };
  expect(cut).toMatchObject({ truncated: true, bytes: 40_008 });
  expect(cut.excerpt.startsWith('{"a":"🙂')).toBe(true);
  expect(cut.excerpt.isWellFormed()).toBe(true);
});
