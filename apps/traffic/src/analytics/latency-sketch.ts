/** As the bins of the rollups are made: the first holds 0 ms, each further one is two per cent wide. */
const GAMMA = 1.02;
const ENTRY_BYTES = 6;

/** The middle of a bin in whole ms; all that is in the bin is within one per cent of it. */
export const middleOf = (bin: number): number => (bin === 0 ? 0 : Math.round((2 * GAMMA ** (bin - 1)) / (GAMMA + 1)));

/** Where the counts of one sketch are put together; the longest time has bin 1086. */
const counts = new Int32Array(2048);

/** Percentiles out of sketches: entries of a bin and by how much its count changes, in any order. */
export class LatencySketch {
  /** The bins in order, and how many values lie in each and all before it. */
  private readonly bins: number[] = [];
  private readonly reached: number[] = [];

  constructor(bytes: Buffer) {
    let first = counts.length;
    let last = -1;
    for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
      const bin = bytes.readInt16BE(at);
      counts[bin] = (counts[bin] ?? 0) + bytes.readInt32BE(at + 2);
      if (bin < first) first = bin;
      if (bin > last) last = bin;
    }
    this.take(first, last);
  }

  /** Takes the counts of some bins away. */
  private take(first: number, last: number): void {
    let size = 0;
    for (let bin = first; bin <= last; bin++) {
      const count = counts[bin] ?? 0;
      if (count === 0) continue;
      counts[bin] = 0;
      this.bins.push(bin);
      this.reached.push((size += count));
    }
  }

  /** The smallest value that no smaller share of all values reaches; null when there are none. */
  percentile(share: number): number | null {
    const size = this.reached.at(-1) ?? 0;
    if (size === 0) return null;
    const rank = Math.max(1, Math.ceil(share * size));
    return middleOf(this.bins[this.reached.findIndex((reached) => reached >= rank)] ?? 0);
  }
}
