/** The longest prefix of any form that the bytes read so far end with. */
export interface MatchState {
  /** Trailing bytes that may still grow into a form: no later match begins before them. */
  readonly open: number;
  /** Length of the longest form that ends here, or 0. */
  readonly matched: number;
}

/** Shared by the sorted forms `first` to `last`. */
class Prefix implements MatchState {
  /** The first child; most prefixes have only one. */
  byte = -1;
  next: Prefix | undefined;
  others: Map<number, Prefix> | undefined;

  constructor(
    readonly first: number,
    readonly last: number,
    readonly depth: number,
    readonly open: number,
    readonly matched: number,
    /** The longest proper suffix that is a prefix of some form. */
    readonly shorter: Prefix | undefined,
  ) {}
}

/**
 * Finds any number of byte strings in one pass (Aho-Corasick), linear in the text. States are created when first
 * reached: forms are long, and most texts contain none.
 */
export class FormMatcher {
  readonly start: MatchState;
  private readonly root: Prefix;
  private readonly forms: readonly Buffer[];
  /** 1 for each first byte, and for each pair of first bytes, of a form. */
  private readonly firsts = new Uint8Array(256);
  private readonly pairs = new Uint8Array(65_536);

  /** Each form has at least two bytes. */
  constructor(forms: readonly Buffer[]) {
    this.forms = [...forms].sort((one, other) => Buffer.compare(one, other));
    for (const form of this.forms) {
      this.firsts[form[0]!] = 1;
      this.pairs[(form[0]! << 8) | form[1]!] = 1;
    }
    this.root = new Prefix(0, this.forms.length, 0, 0, 0, undefined);
    this.start = this.root;
  }

  /** `found` receives end and length of the longest form that ends at each position. */
  read(bytes: Buffer, from: number, state: MatchState, found: (end: number, length: number) => void): MatchState {
    const { root, firsts, pairs } = this;
    let now = state as Prefix;
    for (let at = from; at < bytes.length; at += 1) {
      if (now === root) {
        const last = bytes.length - 1;
        while (at < last && pairs[(bytes[at]! << 8) | bytes[at + 1]!] === 0) at += 1;
        if (at === last && firsts[bytes[at]!] === 0) break;
      }
      now = this.step(now, bytes[at]!);
      if (now.matched > 0) found(at + 1, now.matched);
    }
    return now;
  }

  private step(state: Prefix, byte: number): Prefix {
    for (let at: Prefix | undefined = state; at; at = at.shorter) {
      const next = at.byte === byte ? at.next : (at.others?.get(byte) ?? this.grown(at, byte));
      if (next) return next;
    }
    return this.root;
  }

  private grown(prefix: Prefix, byte: number): Prefix | undefined {
    const { depth } = prefix;
    const first = this.firstFrom(prefix, byte);
    if (first === prefix.last || this.forms[first]![depth] !== byte) return undefined;
    const last = this.firstFrom(prefix, byte + 1);
    const shorter = prefix.shorter ? this.step(prefix.shorter, byte) : this.root;
    // In sorted order a form precedes the forms that it is a prefix of.
    const matched = this.forms[first]!.length === depth + 1 ? depth + 1 : shorter.matched;
    const open = this.forms[last - 1]!.length > depth + 1 ? depth + 1 : shorter.open;
    const child = new Prefix(first, last, depth + 1, open, matched, shorter);
    if (prefix.byte < 0) {
      prefix.byte = byte;
      prefix.next = child;
    } else (prefix.others ??= new Map()).set(byte, child);
    return child;
  }

  /** The first form of a prefix whose next byte is at least `byte`; a form that ends here sorts first. */
  private firstFrom({ first, last, depth }: Prefix, byte: number): number {
    let [low, high] = [first, last];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.forms[middle]![depth] ?? -1) < byte) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
