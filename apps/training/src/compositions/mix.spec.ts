import { type Candidate, linesIn, mix, rowsOfShare, sequenceOf } from './mix.js';

const rows = (dataset_id: number, count: number, from = 1): Candidate[] =>
  Array.from({ length: count }, (_, at) => ({
    id: from + at,
    dataset_id,
    input_hash: ((from + at) * 2_654_435_761).toString(16).padStart(32, '0').slice(-32),
  }));
const share = (dataset_id: number, weight = 1, max_requests: number | null = null) => ({
  dataset_id,
  weight,
  max_requests,
});
const idsOf = (side: { id: number }[]) => side.map(({ id }) => id);

describe('a share', () => {
  it.each([
    [10, 1, null, 10],
    [10, 0.5, null, 5],
    [10, 0.01, null, 1],
    [10, 0, null, 0],
    [10, 2.5, null, 25],
    [10, 2.5, 7, 7],
    [3, 0.1 * 10, null, 3],
    [0, 5, null, 0],
  ])('of %d rows with weight %d and cap %p takes %d', (available, weight, cap, expected) => {
    expect(rowsOfShare(share(1, weight, cap), available)).toBe(expected);
  });
});

describe('a mix', () => {
  const candidates = [...rows(1, 100), ...rows(2, 50, 1001)];
  const entries = [share(1), share(2, 0.2)];

  it('takes each share, and the same rows for the same seed whatever their order', () => {
    const options = { entries, validation_split: 0.1, seed: 7 };
    const first = mix(candidates, options);
    expect(first.per_dataset).toEqual([
      { dataset_id: 1, count: 100 },
      { dataset_id: 2, count: 10 },
    ]);
    expect([linesIn(first.train), linesIn(first.validation)]).toEqual([99, 11]);
    expect(mix([...candidates].reverse(), options)).toEqual(first);
    expect(mix(candidates, { ...options, seed: 8 })).not.toEqual(first);
  });

  it('never has an input on both sides, however often it occurs', () => {
    const twins = rows(1, 40).map((row, at) => ({ ...row, input_hash: `0000000${at % 4}`.padEnd(32, '0') }));
    const { train, validation } = mix(twins, { entries: [share(1, 2)], validation_split: 0.5, seed: 1 });
    const inputs = (side: { id: number }[]) =>
      new Set(idsOf(side).map((id) => twins.find((row) => row.id === id)?.input_hash));
    expect([...inputs(train)].filter((input) => inputs(validation).has(input))).toEqual([]);
    expect([linesIn(train), linesIn(validation)]).toEqual([40, 40]);
  });

  it('trains with what it has when there is one input alone', () => {
    const { train, validation } = mix(rows(1, 1), { entries: [share(1)], validation_split: 0.5, seed: 0 });
    expect([train.length, validation.length]).toEqual([1, 0]);
  });

  it('repeats rows round by round', () => {
    const { train } = mix(rows(1, 4), { entries: [share(1, 2.5)], validation_split: 0, seed: 3 });
    const sequence = [...sequenceOf(train)];
    expect(sequence).toHaveLength(10);
    expect(new Set(sequence.slice(0, 4)).size).toBe(4);
    expect(sequence.slice(4, 8)).toEqual(sequence.slice(0, 4));
    expect(sequence.slice(8)).toEqual(sequence.slice(0, 2));
  });
});
