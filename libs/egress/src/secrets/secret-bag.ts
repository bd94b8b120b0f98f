import { inspect } from 'node:util';
import { EgressFailed } from '../errors.js';
import { PLACEHOLDER } from './placeholders.js';
import { Scrubber, SECRET_MARK } from './scrubber.js';
import { formsOf } from './secret-forms.js';

/** Secrets of one call: usable and searchable, but never printed, serialised or enumerated. */
export class SecretBag {
  readonly #values: Map<string, string>;
  #scrubber: Scrubber | undefined;
  /** Forms by value, shared with picked bags: those of long secrets take time. */
  #forms = new Map<string, string[]>();
  #latest: { further: readonly string[]; scrubber: Scrubber } | undefined;

  constructor(values: Record<string, string>) {
    this.#values = new Map(Object.entries(values));
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  pick(names: readonly string[]): SecretBag {
    const picked = new SecretBag(Object.fromEntries([...this.#values].filter(([name]) => names.includes(name))));
    picked.#forms = this.#forms;
    return picked;
  }

  /** Expands `{{secrets.NAME}}` once: a value that looks like a placeholder is not expanded. */
  render(template: string): string {
    return template.replace(PLACEHOLDER, (_, name: string) => {
      const value = this.#values.get(name);
      if (value === undefined) throw new EgressFailed('missing_secret', `no value is given for secret ${name}`);
      return value;
    });
  }

  scrub(text: string): string {
    return this.scrubber().text(text);
  }

  /**
   * For a text that ends with `…` when it was cut: a possible first part of a secret before the mark is removed too.
   */
  scrubCut(text: string): string {
    if (!text.endsWith('…')) return this.scrub(text);
    const kept = this.scrubber().cut(Buffer.from(text.slice(0, -1)));
    return `${kept.toString()}…`;
  }

  scrubValue<T>(value: T): T {
    return scrubbed(value, (text) => this.scrub(text)) as T;
  }

  /** With further values derived from these secrets, such as an encoded header. */
  scrubber(further: readonly string[] = []): Scrubber {
    if (further.length > 0) return this.#with(further);
    this.#scrubber ??= this.#scrubberOf([]);
    return this.#scrubber;
  }

  /** Cached: the matcher is expensive to build, and a bag is usually used with the same headers. */
  #with(further: readonly string[]): Scrubber {
    const last = this.#latest;
    if (last && last.further.length === further.length && last.further.every((value, at) => value === further[at]))
      return last.scrubber;
    const scrubber = this.#scrubberOf(further);
    this.#latest = { further, scrubber };
    return scrubber;
  }

  #scrubberOf(further: readonly string[]): Scrubber {
    const own = new Set(this.#values.values());
    return new Scrubber([...own, ...further], (value) => {
      const forms = this.#forms.get(value) ?? formsOf(value);
      // Derived values differ from call to call and would accumulate.
      if (own.has(value)) this.#forms.set(value, forms);
      return forms;
    });
  }

  /** The only way to read the values: for encrypting them for another process. */
  sealed<Sealed>(seal: (values: Record<string, string>) => Sealed): Sealed {
    return seal(Object.fromEntries(this.#values));
  }

  toJSON(): string {
    return SECRET_MARK;
  }

  toString(): string {
    return SECRET_MARK;
  }

  [inspect.custom](): string {
    return SECRET_MARK;
  }
}

function scrubbed(value: unknown, scrub: (text: string) => string): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value === 'number') {
    const shown = scrub(String(value));
    return shown === String(value) ? value : shown;
  }
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, scrub));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [scrub(key), scrubbed(child, scrub)]));
}
