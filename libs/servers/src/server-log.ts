import { appendFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** Written as JSON lines; the last ones are kept in memory for error messages. */
export interface ServerLog {
  recent(): string;
  /**
   * Waits until the output has ended and its last lines are written, or could not be; at most five seconds, because a
   * child of the server may keep the output open.
   */
  written(): Promise<void>;
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

/** Bytes of lines buffered while the disk is full; further lines are dropped and counted. */
const MAX_WAITING = 1_048_576;
const AGAIN_MS = 1000;
const WRITTEN_LIMIT_MS = 5000;

/** A full disk loses lines, but neither stops the server nor grows memory without bound. */
class LineFile {
  private waiting: string[] = [];
  private bytes = 0;
  private dropped = 0;
  private writing = false;
  private isFailing = false;
  private waiters: (() => void)[] = [];

  constructor(private readonly file: string) {}

  async written(): Promise<void> {
    if (this.writing && !this.isFailing) await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  write(line: string): void {
    if (this.bytes + line.length > MAX_WAITING) {
      this.dropped++;
      return;
    }
    this.waiting.push(line);
    this.bytes += line.length;
    if (!this.writing) void this.flush();
  }

  private async flush(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const text = this.waiting.join('');
      const { length } = this.waiting;
      try {
        await appendFile(this.file, text, { mode: 0o600 });
        this.isFailing = false;
      } catch {
        // The lines of a failed append, possibly partly written, are written again.
        this.isFailing = true;
        this.release();
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref());
        continue;
      }
      this.waiting.splice(0, length);
      this.bytes -= text.length;
      this.reportDropped();
    }
    this.writing = false;
    this.release();
  }

  private release(): void {
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  private reportDropped(): void {
    const lines = this.dropped;
    this.dropped = 0;
    if (lines > 0) this.write(lineOf('warn', 'log', `${lines} lines were dropped: the log could not be written`));
  }
}

const lineOf = (level: Level, name: string, msg: string): string =>
  `${JSON.stringify({ level, time: Date.now(), name, msg })}\n`;

export function writeServerLog(name: string, output: Readable, file: string): ServerLog {
  const recent: string[] = [];
  const log = new LineFile(file);
  const lines = createInterface({ input: output });
  lines.on('line', (line) => {
    recent.push(line);
    if (recent.length > 20) recent.shift();
    log.write(lineOf(levelOf(line), name, line));
  });
  const closed = new Promise<void>((resolve) => lines.once('close', resolve));
  const written = (): Promise<void> =>
    Promise.race([closed.then(() => log.written()), sleep(WRITTEN_LIMIT_MS, undefined, { ref: false })]);
  return { recent: () => recent.join('\n'), written };
}
