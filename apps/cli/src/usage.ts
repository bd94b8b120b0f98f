import { parseArgs } from 'node:util';
import type { Settings } from './settings/settings.js';

export class BadUsage extends Error {
  override name = 'BadUsage';
}

/** `help` is a value anywhere but in the first place: `--name help`. */
export const asksForHelp = (words: readonly string[]): boolean =>
  words[0] === 'help' || words.some((word) => ['--help', '-h'].includes(word));

export class Options {
  private constructor(private readonly values: Record<string, string | boolean | undefined>) {}

  /** `texts` take a value, `switches` do not. */
  static read(words: string[], texts: readonly string[], switches: readonly string[]): Options {
    const options = Object.fromEntries([
      ...texts.map((name) => [name, { type: 'string' as const }]),
      ...switches.map((name) => [name, { type: 'boolean' as const }]),
    ]) as Record<string, { type: 'string' | 'boolean' }>;
    try {
      return new Options(parseArgs({ args: words, options, strict: true }).values as Record<string, string | boolean>);
    } catch (error) {
      throw new BadUsage(error instanceof Error ? error.message : String(error));
    }
  }

  has(name: string): boolean {
    return this.values[name] === true;
  }

  find(name: string): string | null {
    const value = this.values[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  }

  get(name: string): string {
    const value = this.find(name);
    if (value === null) throw new BadUsage(`--${name} is missing`);
    return value;
  }

  list(name: string): string[] {
    const entries = this.get(name).split(',');
    return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
  }

  id(name: string): number {
    return this.whole(name, this.get(name), Number.MAX_SAFE_INTEGER);
  }

  port(name: string, otherwise: number): number {
    return this.whole(name, this.find(name) ?? String(otherwise), 65_535);
  }

  private whole(name: string, text: string, max: number): number {
    if (/^[1-9]\d*$/.test(text) && Number(text) <= max) return Number(text);
    throw new BadUsage(`--${name} must be a whole number from 1 to ${max}`);
  }
}

export class Verdict {
  constructor(
    readonly output: unknown,
    readonly exitCode: number,
  ) {}
}

/** `run` returns a value for JSON, a text, or a `Verdict` for an exit code other than 0. */
export interface Command {
  texts: readonly string[];
  switches?: readonly string[];
  run(options: Options, settings: Settings): Promise<unknown>;
}
