import { formsOf } from './secret-forms.js';

/** What stands where a secret stood. */
export const SECRET_MARK = '[secret]';

/** Replaces every known spelling of a set of secrets, in text, in bytes and in a stream of bytes. */
export class Scrubber {
  readonly #text: RegExp | null;
  readonly #bytes: RegExp | null;
  // By first character: the search for a possible beginning looks at every position of a chunk's end.
  readonly #beginnings = new Map<string, string[]>();
  readonly #longest: number;

  constructor(values: readonly string[]) {
    const forms = [...new Set(values.flatMap(formsOf))];
    const byteForms = forms.map((form) => Buffer.from(form, 'utf8').toString('latin1'));
    for (const form of byteForms) this.#beginnings.set(form[0]!, [...(this.#beginnings.get(form[0]!) ?? []), form]);
    this.#longest = byteForms.reduce((longest, form) => Math.max(longest, form.length), 0);
    this.#text = patternOf(forms);
    this.#bytes = patternOf(byteForms);
  }

  get isIdle(): boolean {
    return this.#text === null;
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

  /** Scrubs a stream; a secret split over two chunks is found because its possible beginning is held back. */
  async *stream(chunks: AsyncIterable<Buffer>, onCut: () => boolean = () => false): AsyncGenerator<Buffer> {
    let held = '';
    for await (const chunk of chunks) {
      if (this.isIdle) {
        yield chunk;
        continue;
      }
      const step = this.#step(held + chunk.toString('latin1'));
      held = step.held;
      if (step.clean !== '') yield Buffer.from(step.clean, 'latin1');
    }
    // After a cut the held back bytes may be the first half of a secret: they go.
    if (held !== '' && !onCut()) yield Buffer.from(held.replace(this.#bytes!, SECRET_MARK), 'latin1');
  }

  #step(text: string): { clean: string; held: string } {
    let clean = '';
    let from = 0;
    for (const match of text.matchAll(this.#bytes!)) {
      if (this.#startsForm(text, match.index)) break;
      clean += text.slice(from, match.index) + SECRET_MARK;
      from = match.index + match[0].length;
    }
    const hold = this.#holdFrom(text, from);
    const rest = text.slice(from, hold).replace(this.#bytes!, SECRET_MARK);
    return { clean: clean + rest, held: text.slice(hold) };
  }

  /** Where the first suffix begins that may still grow into one of the forms. */
  #holdFrom(text: string, from: number): number {
    for (let start = Math.max(from, text.length - this.#longest + 1); start < text.length; start += 1) {
      if (this.#startsForm(text, start)) return start;
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
