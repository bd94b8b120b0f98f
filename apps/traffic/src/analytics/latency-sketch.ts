/** The same bins as in the rollups: the first holds 0 ms, each further one is 2 % wide. */
const GAMMA = 1.02;
const ENTRY_BYTES = 6;
/** The longest time has bin 1086. */
const BINS = 2048;

/** The middle of a bin in whole ms; all values of the bin are within 1 % of it. */
export const middleOf = (bin: number): number => (bin === 0 ? 0 : Math.round((2 * GAMMA ** (bin - 1)) / (GAMMA + 1)));

const MIDDLES = Array.from({ length: BINS }, (_, bin) => middleOf(bin));
/** The counts of one sketch, and a bit for each bin that is not empty: most are empty. */
const counts = new Int32Array(BINS);
const touched = new Int32Array(BINS / 32);

/**
 * Percentiles of a sketch, whose entries are a bin and the change of its count, in any order. `shares` are ascending. A
 * percentile is the smallest value that at least this share of all values does not exceed; null without values.
 */
export function percentilesOf(sketch: Uint8Array, shares: readonly number[]): (number | null)[] {
  let size = 0;
  for (let at = 0; at + ENTRY_BYTES <= sketch.length; at += ENTRY_BYTES) {
    const bin = numberAt(sketch, at, 2);
    const count = numberAt(sketch, at + 2, 4);
    counts[bin] = (counts[bin] ?? 0) + count;
    touched[bin >> 5] = (touched[bin >> 5] ?? 0) | (1 << (bin & 31));
    size += count;
  }
  return reached(shares, size);
}

function numberAt(bytes: Uint8Array, at: number, length: 2 | 4): number {
  const first = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  return length === 2 ? first : (first << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
}

/** In ms; resets the counts. */
function reached(shares: readonly number[], size: number): (number | null)[] {
  const found = new Array<number | null>(shares.length).fill(null);
  let next = 0;
  let before = 0;
  for (let word = 0; word < touched.length; word++) {
    for (let bits = touched[word] ?? 0; bits !== 0; bits &= bits - 1) {
      const bin = word * 32 + 31 - Math.clz32(bits & -bits);
      before += counts[bin] ?? 0;
      // Counts that were added and subtracted again leave an empty bin.
      const there = counts[bin] !== 0 && size > 0;
      counts[bin] = 0;
      for (; there && before >= Math.max(1, Math.ceil((shares[next] ?? Infinity) * size)); next++)
        found[next] = MIDDLES[bin] ?? null;
    }
    touched[word] = 0;
  }
  return found;
}
