import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** A server's log: its plain lines are kept as JSON lines, the last of them also in memory for error messages. */
export interface ServerLog {
  recent(): string;
}

const LEVELS: [RegExp, Level][] = [
  [/\[FTL\]|PANIC:|FATAL:/, 'fatal'],
  [/\[ERR\]|ERROR:/, 'error'],
  [/\[WRN\]|WARNING:/, 'warn'],
  [/\[(DBG|TRC)\]|DEBUG\d?:/, 'debug'],
];

function levelOf(line: string): Level {
  return LEVELS.find(([pattern]) => pattern.test(line))?.[1] ?? 'info';
}

/** Writes what a server prints to a log file, one JSON object per line. */
export function writeServerLog(name: string, output: Readable, file: string): ServerLog {
  const recent: string[] = [];
  const log = createWriteStream(file, { flags: 'a', mode: 0o600 });
  // A full disk must not take the server down with its log.
  log.on('error', () => undefined);
  const lines = createInterface({ input: output });
  lines.on('line', (line) => {
    recent.push(line);
    if (recent.length > 20) recent.shift();
    log.write(`${JSON.stringify({ level: levelOf(line), time: Date.now(), name, msg: line })}\n`);
  });
  lines.on('close', () => log.end());
  return { recent: () => recent.join('\n') };
}
