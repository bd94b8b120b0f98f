import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type CallOptions,
  type ClientOptions,
  createClient,
  type Download,
  type PagedList,
  type Signalbox,
  TimeoutError,
} from '@signalbox/sdk';
import { type Catalog, type Command, readCatalog } from './catalog.js';
import { commandHelp, familyHelp } from './command-help.js';
import { confirm } from './confirmation.js';
import { findCredentials } from './credentials.js';
import { EventOutput } from './event-output.js';
import { DONE } from './exit-codes.js';
import { describeFailure, exitCodeOf } from './failures.js';
import { followOf, isFollowable } from './following.js';
import { type Input, inputOf, openFile } from './input.js';
import { type Options, type SortedWords, sortWords } from './options.js';
import { formatOf, printPages, printValue } from './output.js';
import type { Row } from './tables.js';
import { UsageError } from './usage-error.js';
import { writeWhole } from './whole-file.js';

type Method = (input: Input, options: CallOptions) => unknown;

const print = (text: string): void => console.log(text);

function methodOf(client: Signalbox, { family, verb }: Command): Method {
  return (client as unknown as Record<string, Record<string, Method>>)[family]?.[verb] as Method;
}

export function connectedClient(
  environment: NodeJS.ProcessEnv,
  options: Pick<ClientOptions, 'maxRetries' | 'signal'> = {},
): Signalbox {
  const { url, key } = findCredentials(environment);
  if (key === undefined) throw new UsageError('no API key: set SIGNALBOX_API_KEY or run signalbox login');
  return createClient({ apiKey: key, ...(url === undefined ? {} : { baseUrl: url }), ...options });
}

function secondsOf({ timeout }: Options): number | undefined {
  const seconds = timeout === undefined ? undefined : Number(timeout);
  if (seconds !== undefined && !(seconds > 0)) throw new UsageError('--timeout must be a number of seconds');
  return seconds;
}

/** A stream, and what is followed, goes on for any time after its reply. */
function deadlineAfter(seconds: number): AbortSignal {
  const over = new AbortController();
  setTimeout(() => over.abort(new TimeoutError(`it has not ended within ${seconds} s`)), seconds * 1000).unref();
  return over.signal;
}

function callOptions(options: Options): CallOptions {
  const seconds = secondsOf(options);
  return {
    ...(seconds === undefined ? {} : { timeoutMs: seconds * 1000 }),
    ...(options['idempotency-key'] === undefined ? {} : { idempotencyKey: options['idempotency-key'] }),
  };
}

async function writeDownload(download: Download, { output }: Options): Promise<void> {
  const body = Readable.fromWeb(download.stream as never);
  if (output === undefined || output === '-') await pipeline(body, process.stdout, { end: false });
  else await writeWhole(body, output);
}

async function execute(command: Command, sorted: SortedWords, environment: NodeJS.ProcessEnv): Promise<number> {
  const { options } = sorted;
  if (options.follow && !isFollowable(command)) throw new UsageError('this command cannot be followed');
  const input = await inputOf(command, sorted);
  Object.assign(input, await fileOf(command, options));
  if (options.follow) Object.assign(input, command.streams);
  const format = formatOf(options, command.shape === 'file' || command.downloads !== undefined);
  await confirm(command, options.yes);
  const turns = (by: Command['streams']): boolean =>
    Object.entries(by ?? {}).some(([name, value]) => input[name] === value);
  const isStream = command.shape === 'stream' || turns(command.streams);
  const seconds = options.follow || isStream ? secondsOf(options) : undefined;
  const client = connectedClient(environment, seconds === undefined ? {} : { signal: deadlineAfter(seconds) });
  const reply = methodOf(client, command)(input, callOptions(options));
  if (isStream) return new EventOutput(format === 'json').write(reply as AsyncIterable<unknown>);
  if (command.shape === 'file' || turns(command.downloads))
    return done(writeDownload((await reply) as Download, options));
  if (command.shape === 'page') return done(printPages(reply as PagedList<Row>, options, format, command));
  const value = await reply;
  const follow = options.follow ? followOf(command) : undefined;
  if (follow) {
    const { code, record } = await follow(client, input, value as never, format === 'json');
    if (record !== undefined) printValue(record, options, format);
    return code;
  }
  printValue(value, options, format);
  return DONE;
}

async function done(work: Promise<void>): Promise<number> {
  await work;
  return DONE;
}

/** A file on disk is read while it is sent. */
async function fileOf({ uploads, fileInsteadOf }: Command, { file }: Options): Promise<Input> {
  if (uploads === undefined && (fileInsteadOf === undefined || file === undefined)) return {};
  if (file === undefined) throw new UsageError('missing: --file');
  const isCsv = file.endsWith('.csv') && uploads?.includes('text/csv') === true;
  return { file: await openFile(file), ...(isCsv ? { media_type: 'text/csv' } : {}) };
}

function commandAt(catalog: Catalog, family: string, verb: string): Command {
  const command = catalog[family]?.[verb];
  if (!command) throw new UsageError(`${family} has no verb "${verb}"; signalbox ${family} lists them`);
  return command;
}

async function runWords(
  [family = '', verb, ...rest]: string[],
  catalog: Catalog,
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  if (verb === undefined || verb === '--help' || verb === '-h') {
    print(familyHelp(family, catalog[family] ?? {}));
    return DONE;
  }
  const command = commandAt(catalog, family, verb);
  const isBoolean = (name: string): boolean =>
    command.fields?.some((field) => field.name === name && field.type === 'boolean') ?? false;
  const sorted = sortWords(rest, isBoolean);
  if (!sorted.options.help) return execute(command, sorted, environment);
  print(commandHelp(family, verb, command));
  return DONE;
}

/** Returns the exit code; undefined when the first word is no family. */
export async function runApiCommand(words: string[], environment: NodeJS.ProcessEnv): Promise<number | undefined> {
  const catalog = readCatalog();
  if (!Object.hasOwn(catalog, words[0] ?? '')) return undefined;
  // A reader that ends early, such as head, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  try {
    return await runWords(words, catalog, environment);
  } catch (error) {
    console.error(`signalbox ${words.slice(0, 2).join(' ')}: ${describeFailure(error)}`);
    return exitCodeOf(error);
  }
}
