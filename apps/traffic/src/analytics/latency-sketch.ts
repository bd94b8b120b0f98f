/** As the bins of the rollups are made: the first holds 0 ms, each further one is two per cent wide. */
const GAMMA = 1.02;
const ENTRY_BYTES = 6;

/** The middle of a bin in whole ms; all that is in the bin is within one per cent of it. */
export const middleOf = (bin: number): number => (bin === 0 ? 0 : Math.round((2 * GAMMA ** (bin - 1)) / (GAMMA + 1)));

/** Percentiles out of sketches: entries of a bin and by how much its count changes, in any order. */
export class LatencySketch {
  private readonly counts: number[] = [];
  private size = 0;

  constructor(bytes: Buffer) {
    for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
      const bin = bytes.readInt16BE(at);
      const count = bytes.readInt32BE(at + 2);
      this.counts[bin] = (this.counts[bin] ?? 0) + count;
      this.size += count;
    }
  }

  /** The smallest value that no smaller share of all values reaches; null when there are none. */
  percentile(share: number): number | null {
    if (this.size === 0) return null;
    let left = Math.max(1, Math.ceil(share * this.size));
    const bin = this.counts.findIndex((count) => (left -= count ?? 0) <= 0);
    return middleOf(bin);
  }
}
