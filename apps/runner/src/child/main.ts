import type { ScriptEntry } from '@signalbox/contracts';
import { Channel } from './channel.js';
import type { Frame, ToChild } from './frames.js';
import { type ChildOutcome, type Interpreter, withShortMessages } from './language.js';
import { emptyGlobals } from './globals.js';

// Runs one interpreter, driven by frames until the parent closes the channel.

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = cpuUsage(since);
  return Math.round((user + system) / 1000);
};
// Kept, because `emptyGlobals` removes `process`.
const { cpuUsage } = process;

function finish(channel: Channel, { status, body, line }: ChildOutcome, since: NodeJS.CpuUsage): void {
  if (status === 'completed') return channel.write({ kind: 'completed', cpu_ms: cpuMs(since) }, body);
  const position = line === undefined ? {} : { line };
  channel.write({ kind: 'failed', error_code: status, ...position, cpu_ms: cpuMs(since) }, body);
}

async function serve(channel: Channel, interpreter: Interpreter, { head, body }: Frame<ToChild>): Promise<void> {
  if (head.kind === 'run') {
    const since = cpuUsage();
    const [script, argument] = [body.slice(0, head.script_length), body.slice(head.script_length)];
    const { language, memory_mb } = head;
    const run = { language, memory_mb, entry: head.entry as ScriptEntry, script, argument };
    finish(channel, await interpreter.run(run), since);
  } else if (head.kind === 'compile') {
    const second = head.has_second ? body.slice(head.script_length) : null;
    const script = body.slice(0, head.script_length);
    const { language } = head;
    const compiled = await interpreter.compile({ language, entry: head.entry as ScriptEntry, script, second });
    channel.write({ kind: 'compiled' }, JSON.stringify(withShortMessages(compiled)));
  }
  // Ignores replies that arrive after the end of their run.
}

async function loadJavaScript(): Promise<Interpreter> {
  const { JavaScript } = await import('./javascript/javascript.js');
  return JavaScript.load(channel);
}

async function loadPython(): Promise<Interpreter> {
  const { Python } = await import('./python/python.js');
  return Python.load(channel);
}

/** With this argument the process writes a memory snapshot of Python and exits. */
const SNAPSHOT = 'python-snapshot';
const channel = new Channel();
if (process.argv[2] === SNAPSHOT) {
  const { Python } = await import('./python/python.js');
  channel.writeBytes(await Python.snapshot());
  process.exitCode = 0;
} else await serveAll();

async function serveAll(): Promise<void> {
  const interpreter = process.argv[2] === 'python' ? await loadPython() : await loadJavaScript();
  emptyGlobals();
  channel.write({ kind: 'ready', version: interpreter.version });
  for (let frame = channel.read(); frame; frame = channel.read()) {
    await serve(channel, interpreter, frame);
    await interpreter.prepare();
  }
}
