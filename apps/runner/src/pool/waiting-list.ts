import type { Needs } from './admission.js';

/** What waits in a pool, and how much of it one company may have at one depth. */
export interface WaitingLimits {
  count: number;
  /** The bytes of the scripts and arguments that wait, of one company at one depth. */
  bytes: number;
  /** The bytes of all companies; above it the company with more than an equal share is refused. */
  totalBytes: number;
}

type Sized = Omit<Needs, 'memoryMb'>;

/**
 * The waiting executions of all companies, in order of arrival. It is bounded for each company, and for each depth of
 * nesting of it: however much one company asks for, neither another company nor its own nested scripts are refused.
 */
export class WaitingList<Item extends Sized> {
  readonly items: Item[] = [];
  private bytes = 0;

  constructor(private readonly limits: WaitingLimits) {}

  /** False when too much of the company waits. */
  add(item: Item): boolean {
    if (!this.hasRoomFor(item)) return false;
    this.items.push(item);
    this.bytes += item.bytes;
    return true;
  }

  remove(item: Item): void {
    const at = this.items.indexOf(item);
    if (at < 0) return;
    this.items.splice(at, 1);
    this.bytes -= item.bytes;
  }

  private hasRoomFor({ company, depth, bytes }: Sized): boolean {
    const { limits } = this;
    const own = this.items.filter((each) => each.company === company);
    const alike = own.filter((each) => each.depth === depth);
    if (alike.length >= limits.count) return false;
    // A single one may be larger than the bound.
    if (alike.length > 0 && bytesOf(alike) + bytes > limits.bytes) return false;
    const companies = new Set(this.items.map((each) => each.company)).add(company).size;
    return this.bytes + bytes <= limits.totalBytes || bytesOf(own) + bytes <= limits.totalBytes / companies;
  }
}

const bytesOf = (items: readonly Sized[]): number => items.reduce((sum, { bytes }) => sum + bytes, 0);
