import type { LoggerService } from '@nestjs/common';
import { destination, type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { logLinesDropped } from './metrics.js';
import { prettyLines } from './pretty-lines.js';
import { tracing } from './tracing/tracing.js';

export type { Logger } from 'pino';

const SECRET_KEY = /(authorization|api[_-]?key|secret|password|token|cookie|master[_-]?key)/i;
/** Counts of tokens are not secrets: `max_tokens`, `prompt_tokens`, `first_token_time_ms`. */
const TOKEN_COUNT = /(tokens|token_time_ms|tokens?_(count|limit|details))$/i;
const isSecretKey = (key: string, value: unknown): boolean =>
  SECRET_KEY.test(key) && !(TOKEN_COUNT.test(key) && isCount(value));
/** A number, or counts by name; a secret is a text. */
const isCount = (value: unknown): boolean =>
  typeof value === 'number' || value === null || (typeof value === 'object' && Object.values(value).every(isCount));
const KEY_TEXT = /\b(svk_[0-9A-Za-z]{8})_[0-9A-Za-z]{38}\b/g;
const MAX_TEXT = 2000;

/** Without key texts, values under secret-like names and unbounded strings. */
export function scrub(value: unknown, depth = 6): unknown {
  if (typeof value === 'string') return value.replace(KEY_TEXT, '$1_[secret]').slice(0, MAX_TEXT);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '[deep]';
  if (value instanceof Error) return scrubError(value, depth);
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => scrub(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, isSecretKey(key, child) ? '[secret]' : scrub(child, depth - 1)]),
  );
}

function scrubError({ name, message, stack, cause }: Error, depth: number): object {
  const fields = { name, message: scrub(message), stack: scrub(stack) };
  return cause === undefined ? fields : { ...fields, cause: scrub(cause, depth - 1) };
}

/** Bytes of buffered lines while the log cannot be written; further lines are dropped and counted. */
const MAX_UNWRITTEN = 1_048_576;

/**
 * Lines that cannot be written (full disk, closed pipe) are retried with the next flush instead of ending the process;
 * the buffer is bounded, and dropped lines are counted.
 */
function standardOutput(): ReturnType<typeof destination> {
  // Buffering keeps a line per call cheap; flushed at least every second.
  const output = destination({ fd: 1, sync: false, minLength: 8192, maxLength: MAX_UNWRITTEN, periodicFlush: 1000 });
  output.on('error', () => undefined);
  output.on('drop', (lines: string) => logLinesDropped.inc(lines.split('\n').length - 1));
  return output;
}

type Output = DestinationStream & { flush(then?: () => void): void };

function prettyOutput(): Output {
  const lines = standardOutput();
  return { write: (text) => void lines.write(prettyLines(text)), flush: (then) => lines.flush(then) };
}

let output: Output | undefined;

/**
 * JSON lines, or lines for people (`pretty`). Every line is scrubbed by value and by name, and carries the active
 * trace. The first logger of a process decides the format.
 */
export function createLogger(service: string, level: string, format = 'json'): Logger {
  const hooks = {
    logMethod(this: Logger, args: unknown[], method: (...given: unknown[]) => void) {
      method.apply(
        this,
        args.map((arg) => scrub(arg)),
      );
    },
  };
  return pino(
    { ...optionsOf(service, level), mixin: () => tracing?.logFields() ?? {}, hooks },
    (output ??= format === 'pretty' ? prettyOutput() : standardOutput()),
  );
}

/**
 * Lines are written unscrubbed, for fields without secrets that are written once per request: scrubbing costs more than
 * the rest of the line.
 */
export const createAccessLogger = (logger: Logger): Logger =>
  pino(optionsOf(String(logger.bindings().service), logger.level), (output ??= standardOutput()));

const optionsOf = (service: string, level: string): LoggerOptions => ({
  level,
  base: { service },
  messageKey: 'message',
  timestamp: pino.stdTimeFunctions.epochTime,
  formatters: { level: (label) => ({ level: label }) },
});

export function nestLogger(logger: Logger): LoggerService {
  const text = (message: unknown): string => (typeof message === 'string' ? message : JSON.stringify(scrub(message)));
  return {
    log: (message: unknown) => logger.debug(text(message)),
    debug: (message: unknown) => logger.debug(text(message)),
    verbose: (message: unknown) => logger.trace(text(message)),
    warn: (message: unknown) => logger.warn(text(message)),
    error: (message: unknown) => logger.error(text(message)),
    fatal: (message: unknown) => logger.fatal(text(message)),
  };
}
