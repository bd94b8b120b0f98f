import { formsOf } from './secret-forms.js';

/** What stands where a secret stood. */
export const SECRET_MARK = '[secret]';

/** A scrubber at work on one stream: what may be handed on now. */
export interface IncrementalScrubber {
  push(chunk: Buffer): Buffer;
  end(): Buffer;
}

const NOTHING = Buffer.alloc(0);

/** Replaces every known spelling of a set of secrets, in text, in bytes and in a stream of bytes. */
export class Scrubber {
  readonly #text: RegExp | null;
  readonly #bytes: RegExp | null;
  // By first character: the search for a possible beginning looks at every position of a chunk's end.
  readonly #beginnings = new Map<string, string[]>();
  /** 1 at each byte that a form begins with. */
  readonly #begins = new Uint8Array(256);
  readonly #longest: number;

  constructor(values: readonly string[]) {
    const forms = [...new Set(values.flatMap(formsOf))];
    const byteForms = forms.map((form) => Buffer.from(form, 'utf8').toString('latin1'));
    for (const form of byteForms) {
      this.#beginnings.set(form[0]!, [...(this.#beginnings.get(form[0]!) ?? []), form]);
      this.#begins[form.charCodeAt(0)] = 1;
    }
    this.#longest = byteForms.reduce((longest, form) => Math.max(longest, form.length), 0);
    this.#text = patternOf(forms);
    this.#bytes = patternOf(byteForms);
  }

  text(text: string): string {
    return this.#text ? text.replace(this.#text, SECRET_MARK) : text;
  }

  /** Works on the bytes themselves, so a body that is not UTF-8 survives unharmed. */
  bytes(bytes: Buffer): Buffer {
    if (!this.#bytes) return bytes;
    const found = bytes.toString('latin1');
    const clean = found.replace(this.#bytes, SECRET_MARK);
    return clean === found ? bytes : Buffer.from(clean, 'latin1');
  }

  /** The same of a body that was cut: what may be the first half of a secret at its end goes as well. */
  cut(bytes: Buffer): Buffer {
    return this.incremental().push(bytes);
  }

  /** Scrubs a stream. */
  async *stream(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    const scrubbing = this.incremental();
    for await (const chunk of chunks) {
      const clean = scrubbing.push(chunk);
      if (clean.length > 0) yield clean;
    }
    const rest = scrubbing.end();
    if (rest.length > 0) yield rest;
  }

  /** Scrubs a stream chunk by chunk; a secret split over two is found because its possible beginning is held back. */
  incremental(): IncrementalScrubber {
    const pattern = this.#bytes;
    if (!pattern) return { push: (chunk) => chunk, end: () => NOTHING };
    let held = '';
    return {
      push: (chunk) => {
        const text = held + chunk.toString('latin1');
        const step = this.#step(text);
        const untouched = held === '' && step.clean === text;
        held = step.held;
        return untouched ? chunk : Buffer.from(step.clean, 'latin1');
      },
      end: () => Buffer.from(held.replace(pattern, SECRET_MARK), 'latin1'),
    };
  }

  #step(text: string): { clean: string; held: string } {
    let clean = '';
    let from = 0;
    const pattern = this.#bytes!;
    for (const match of text.search(pattern) < 0 ? [] : text.matchAll(pattern)) {
      if (this.#startsForm(text, match.index)) break;
      clean += text.slice(from, match.index) + SECRET_MARK;
      from = match.index + match[0].length;
    }
    const hold = this.#holdFrom(text, from);
    return { clean: clean + text.slice(from, hold), held: text.slice(hold) };
  }

  /** Where the first suffix begins that may still grow into one of the forms. */
  #holdFrom(text: string, from: number): number {
    for (let start = Math.max(from, text.length - this.#longest + 1); start < text.length; start += 1) {
      if (this.#begins[text.charCodeAt(start)] === 1 && this.#startsForm(text, start)) return start;
    }
    return text.length;
  }

  #startsForm(text: string, start: number): boolean {
    const length = text.length - start;
    const forms = this.#beginnings.get(text[start]!) ?? [];
    return forms.some((form) => form.length > length && text.startsWith(form.slice(0, length), start));
  }
}

function patternOf(forms: readonly string[]): RegExp | null {
  if (forms.length === 0) return null;
  // Longest first: alternation takes the first that fits.
  const sources = [...forms].sort((a, b) => b.length - a.length).map(escaped);
  return new RegExp(sources.join('|'), 'g');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
