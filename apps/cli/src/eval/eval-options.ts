import { parseOptions } from '../client/parse-options.js';
import { UsageError } from '../client/usage-error.js';

export interface NamedConsumer {
  kind: 'AGENT' | 'WORKFLOW' | 'MODEL' | 'EXTERNAL';
  name: string;
  call?: { agent?: string; headers: Record<string, string>; output_path?: string };
}

export interface EvalOptions {
  set: string;
  consumer: NamedConsumer;
  version?: string;
  release?: string;
  minMatchRate: number;
  baseline: 'last' | number;
  repeats?: number;
  /** Names only: the values are in the environment. */
  secrets: string[];
  junit?: string;
  markdown?: string;
  json: boolean;
}

export const EVAL_HELP = `signalbox eval --set S (--agent A | --workflow W | --model M | --url U) [options]

Runs a test set against an agent, a workflow or a model, each by name or id, or against a program that runs elsewhere, and says whether it is good enough.
The key needs the scopes read and invoke.

  --version V            the version to run; without it and a release, the draft
  --release R            the release whose gate judges the version; without --version, its version is run
  --url U                a program: each item is a POST of {input, messages}; with --agent, the run is one of that
                         EXTERNAL agent, and --version the version that runs there, which --release needs
  --header 'NAME: TEXT'  a header of the calls of --url; its text may contain {{secrets.NAME}}
  --output-path PATH     where the output is in the answers of --url, such as choices[0].message.content
  --min-match-rate 0.9   the bar: the least share of items that match
  --baseline last|ID     the run to compare with; by default the last one of the same set and consumer
  --repeats N            run each item N times
  --secret NAME          a secret of the agent or workflow; its value is in the environment variable NAME
  --junit FILE           write a JUnit report
  --markdown FILE        write a summary for a pull request
  --json                 print the result as JSON

Exits with 0 when all is well, 5 below the bar or the gate, 1 when the run itself failed: it was cancelled, items have no
verdict, or items ended in errors that no gate has accepted.`;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const OPTIONS = {
  set: TEXT,
  agent: TEXT,
  workflow: TEXT,
  model: TEXT,
  url: TEXT,
  header: { ...TEXT, multiple: true },
  'output-path': TEXT,
  version: TEXT,
  release: TEXT,
  baseline: TEXT,
  'min-match-rate': TEXT,
  repeats: TEXT,
  secret: { ...TEXT, multiple: true },
  junit: TEXT,
  markdown: TEXT,
  json: FLAG,
  help: FLAG,
} as const;

type Values = ReturnType<typeof parseOptions<{ options: typeof OPTIONS }>>['values'];

const DEFAULT_BAR = '0.9';
const MOST_REPEATS = 20;

function numberOf(text: string, name: string, { from, to, whole }: { from: number; to: number; whole: boolean }) {
  const value = Number(text);
  if (text.trim() === '' || !(value >= from && value <= to) || (whole && !Number.isInteger(value)))
    throw new UsageError(`--${name} must be a ${whole ? 'whole ' : ''}number from ${from} to ${to}`);
  return value;
}

function headersOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value] = /^([^:\s]+):\s*(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined) throw new UsageError("--header must be 'NAME: TEXT'");
      return [name, value];
    }),
  );
}

function programOf(url: string, values: Values): NamedConsumer {
  const { agent, header = [], 'output-path': output_path } = values;
  const call = {
    headers: headersOf(header),
    ...(agent === undefined ? {} : { agent }),
    ...(output_path === undefined ? {} : { output_path }),
  };
  return { kind: 'EXTERNAL', name: url, call };
}

function consumerOf(values: Values): NamedConsumer {
  const { agent, workflow, model, url } = values;
  if (url === undefined && (values.header ?? values['output-path']) !== undefined)
    throw new UsageError('--header and --output-path need --url');
  const given: NamedConsumer[] = [
    ...(url === undefined ? [] : [programOf(url, values)]),
    ...(agent === undefined || url !== undefined ? [] : [{ kind: 'AGENT' as const, name: agent }]),
    ...(workflow === undefined ? [] : [{ kind: 'WORKFLOW' as const, name: workflow }]),
    ...(model === undefined ? [] : [{ kind: 'MODEL' as const, name: model }]),
  ];
  const [consumer] = given;
  if (!consumer || given.length > 1) throw new UsageError('needs one of --agent, --workflow, --model and --url');
  return consumer;
}

export function evalOptions(words: string[]): EvalOptions | null {
  const values = parseOptions({ args: words, options: OPTIONS }).values;
  if (values.help) return null;
  const { set, version, release, repeats, junit, markdown, baseline = 'last', secret = [], json = false } = values;
  if (set === undefined) throw new UsageError('missing: --set');
  const consumer = consumerOf(values);
  if (consumer.kind === 'MODEL' && (version ?? release) !== undefined)
    throw new UsageError('a model has no --version and no --release');
  if (consumer.kind === 'EXTERNAL' && release !== undefined && version === undefined)
    throw new UsageError('--release with --url needs --version: the version that runs there');
  const bar = { from: 0, to: 1, whole: false };
  const anyId = { from: 1, to: Number.MAX_SAFE_INTEGER, whole: true };
  return {
    ...{ set, consumer, json, secrets: secret },
    minMatchRate: numberOf(values['min-match-rate'] ?? DEFAULT_BAR, 'min-match-rate', bar),
    baseline: baseline === 'last' ? 'last' : numberOf(baseline, 'baseline', anyId),
    ...(version === undefined ? {} : { version }),
    ...(release === undefined ? {} : { release }),
    ...(repeats === undefined
      ? {}
      : { repeats: numberOf(repeats, 'repeats', { from: 1, to: MOST_REPEATS, whole: true }) }),
    ...(junit === undefined ? {} : { junit }),
    ...(markdown === undefined ? {} : { markdown }),
  };
}
