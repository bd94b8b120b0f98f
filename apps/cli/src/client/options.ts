import { UsageError } from './usage-error.js';

export interface Options {
  json: boolean;
  follow: boolean;
  all: boolean;
  help: boolean;
  yes: boolean;
  data?: string;
  output?: string;
  columns?: string;
  only?: string;
  file?: string;
  timeout?: string;
  'idempotency-key'?: string;
}

export interface SortedWords {
  positional: string[];
  fields: Map<string, string[]>;
  options: Options;
}

interface OptionHelp {
  usage: string;
  about: string;
}

export const OPTIONS: Record<keyof Options, OptionHelp> = {
  json: { usage: '--json', about: 'the same as --output json' },
  data: { usage: '-d, --data JSON|@FILE|-', about: 'the body as JSON, from a file or from standard input' },
  all: { usage: '--all', about: 'all pages of a list' },
  columns: { usage: '--columns a,b', about: 'the columns of a table' },
  only: { usage: '--only FIELD', about: 'print the value of one field, for scripts' },
  follow: { usage: '-f, --follow', about: 'show progress and events until the run ends' },
  file: { usage: '--file FILE|-', about: 'the file to upload' },
  output: { usage: '-o, --output table|json|yaml|csv', about: 'how the reply is printed; of a download, its FILE' },
  yes: { usage: '--yes', about: 'destroy without asking' },
  timeout: { usage: '--timeout SECONDS', about: 'give up after this time, also on what is followed' },
  'idempotency-key': { usage: '--idempotency-key KEY', about: 'calls under one key take effect once' },
  help: { usage: '-h, --help', about: 'the help of a command' },
};

const FLAGS = ['json', 'follow', 'all', 'help', 'yes'] as const;
const SHORT: Record<string, keyof Options> = { d: 'data', f: 'follow', o: 'output', h: 'help' };

const isFlag = (name: string): name is (typeof FLAGS)[number] => (FLAGS as readonly string[]).includes(name);
const isOption = (name: string): name is Exclude<keyof Options, (typeof FLAGS)[number]> => Object.hasOwn(OPTIONS, name);

function nameOf(word: string): string {
  if (word.startsWith('--')) return word.slice(2);
  return SHORT[word.slice(1)] ?? word.slice(1);
}

/** `isBoolean`: the field may stand without a value. */
export function sortWords(words: string[], isBoolean: (field: string) => boolean): SortedWords {
  const sorted: SortedWords = {
    positional: [],
    fields: new Map(),
    options: { json: false, follow: false, all: false, help: false, yes: false },
  };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      sorted.positional.push(...rest);
      break;
    }
    // A single dash stands for standard input, and -5 is a number.
    if (!/^(--[a-z]|-[a-z]$)/i.test(word)) sorted.positional.push(word);
    else takeOption(word, rest, sorted, isBoolean);
  }
  return sorted;
}

function takeOption(word: string, rest: string[], sorted: SortedWords, isBoolean: (field: string) => boolean): void {
  const [given = '', ...values] = nameOf(word).split('=');
  const inline = values.length > 0 ? values.join('=') : undefined;
  const value = (): string => {
    const text = inline ?? rest.shift();
    if (text === undefined) throw new UsageError(`--${given} needs a value`);
    return text;
  };
  if (isFlag(given)) sorted.options[given] = inline !== 'false';
  else if (isOption(given)) sorted.options[given] = value();
  else takeField(given.replaceAll('-', '_'), inline, value, sorted, isBoolean);
}

function takeField(
  name: string,
  inline: string | undefined,
  value: () => string,
  { fields }: SortedWords,
  isBoolean: (field: string) => boolean,
): void {
  const add = (field: string, text: string): void => void fields.set(field, [...(fields.get(field) ?? []), text]);
  if (isBoolean(name)) add(name, inline ?? 'true');
  else if (name.startsWith('no_') && isBoolean(name.slice(3))) add(name.slice(3), 'false');
  else add(name, value());
}
