import { FormMatcher, type MatchState } from './form-matcher.js';
import { formsOf } from './secret-forms.js';

export const SECRET_MARK = '[secret]';

/** Each call returns the bytes that can be emitted. */
export interface IncrementalScrubber {
  push(chunk: Buffer): Buffer;
  end(): Buffer;
}

const NOTHING = Buffer.alloc(0);
const MARK = Buffer.from(SECRET_MARK);
const UNCHANGED: IncrementalScrubber = { push: (chunk) => chunk, end: () => NOTHING };

/**
 * Replaces every known form of secrets in text and bytes, in linear time. Overlapping forms become one mark, so that no
 * part of one remains.
 */
export class Scrubber {
  readonly #matcher: FormMatcher | null;

  constructor(values: readonly string[], formsOfValue = formsOf) {
    const forms = [...new Set([...new Set(values)].flatMap(formsOfValue))];
    this.#matcher = forms.length > 0 ? new FormMatcher(forms.map((form) => Buffer.from(form, 'utf8'))) : null;
  }

  text(text: string): string {
    if (!this.#matcher) return text;
    const bytes = Buffer.from(text, 'utf8');
    const clean = this.bytes(bytes);
    return clean === bytes ? text : clean.toString('utf8');
  }

  /** Works on bytes, so a body that is not UTF-8 is not changed. */
  bytes(bytes: Buffer): Buffer {
    const scrubbing = this.incremental();
    const clean = scrubbing.push(bytes);
    if (clean === bytes) return bytes;
    const all = Buffer.concat([clean, scrubbing.end()]);
    // Nothing was replaced; bytes were only delayed.
    return all.equals(bytes) ? bytes : all;
  }

  /** For a truncated body: a possible first part of a secret at its end is removed too. */
  cut(bytes: Buffer): Buffer {
    return this.incremental().push(bytes);
  }

  async *stream(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    const scrubbing = this.incremental();
    for await (const chunk of chunks) {
      const clean = scrubbing.push(chunk);
      if (clean.length > 0) yield clean;
    }
    const rest = scrubbing.end();
    if (rest.length > 0) yield rest;
  }

  /** A secret split over chunks is found because its possible beginning is held back. */
  incremental(): IncrementalScrubber {
    return this.#matcher ? new Scrubbing(this.#matcher) : UNCHANGED;
  }
}

/** Relative to the first byte held back; negative when it began earlier. */
interface Span {
  start: number;
  end: number;
}

class Scrubbing implements IncrementalScrubber {
  private state: MatchState;
  private held: Buffer = NOTHING;
  private spans: Span[] = [];

  constructor(private readonly matcher: FormMatcher) {
    this.state = matcher.start;
  }

  push(chunk: Buffer): Buffer {
    const bytes = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : chunk;
    this.state = this.matcher.read(bytes, this.held.length, this.state, (end, length) => this.add(end - length, end));
    // No incomplete secret begins before this position.
    return this.release(bytes, bytes.length - this.state.open);
  }

  end(): Buffer {
    return this.release(this.held, this.held.length);
  }

  private add(start: number, end: number): void {
    const { spans } = this;
    while (spans.length > 0 && spans.at(-1)!.start >= start) spans.pop();
    const last = spans.at(-1);
    if (last && start < last.end) last.end = end;
    else spans.push({ start, end });
  }

  /** Bytes up to a position, with one mark per secret that begins before it. */
  private release(bytes: Buffer, upTo: number): Buffer {
    this.held = bytes.subarray(upTo);
    if (this.spans.length === 0) return upTo === bytes.length ? bytes : bytes.subarray(0, upTo);
    const parts: Buffer[] = [];
    const later: Span[] = [];
    let from = 0;
    for (const { start, end } of this.spans) {
      if (start < upTo) {
        if (start >= 0) parts.push(bytes.subarray(from, start), MARK);
        from = Math.min(end, upTo);
      }
      // A secret that ends after this position may overlap with a later one.
      if (end > upTo) later.push({ start: start < upTo ? -1 : start - upTo, end: end - upTo });
    }
    this.spans = later;
    parts.push(bytes.subarray(from, upTo));
    return Buffer.concat(parts);
  }
}
