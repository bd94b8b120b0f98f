import type { Needs } from './admission.js';

/** `count` and `bytes` apply to one company at one depth. */
export interface WaitingLimits {
  count: number;
  /** Of scripts and arguments. */
  bytes: number;
  /** Of all companies; above it the company with more than an equal share is refused. */
  totalBytes: number;
}

type Sized = Omit<Needs, 'memoryMb'>;

/**
 * Waiting executions in order of arrival, bounded for each company and depth: however much a company asks for, neither
 * another company nor its own nested scripts are refused.
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
    // A single item may exceed the bound.
    if (alike.length > 0 && bytesOf(alike) + bytes > limits.bytes) return false;
    const companies = new Set(this.items.map((each) => each.company)).add(company).size;
    return this.bytes + bytes <= limits.totalBytes || bytesOf(own) + bytes <= limits.totalBytes / companies;
  }
}

const bytesOf = (items: readonly Sized[]): number => items.reduce((sum, { bytes }) => sum + bytes, 0);
