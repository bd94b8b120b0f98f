// Runs a command next to busy loops of normal priority, as on a slow machine that has other work as well:
//   node tools/slow-machine.mjs [--loops N] [--minutes N] -- npm test
// or with a share of one processor, in percent, as on a machine that is slower by a known factor (as root on Linux):
//   node tools/slow-machine.mjs --share 18 [--minutes N] -- npx jest -i NAME
// Exits as the command does; with 124 when the command was ended after the limit. The loops end with this process,
// whatever ends it.
import { spawn } from 'node:child_process';
import { availableParallelism, constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { processorShare } from './slow-machine/processor-share.mjs';

/** In the session of the command: Linux may share the processors between sessions first. */
const BUSY = fileURLToPath(new URL('slow-machine/busy-loop.mjs', import.meta.url));
const USAGE = 'usage: node tools/slow-machine.mjs [--loops N | --share PERCENT] [--minutes N] -- COMMAND [ARGUMENT...]';
const TIMED_OUT = 124;
/** How long the command may take to end after the limit. */
const KILL_MS = 15_000;

/** The value of an option before `--`; exits when it is no positive number. */
function numberOf(options, name, otherwise) {
  const at = options.indexOf(name);
  const value = at < 0 ? otherwise : Number(options[at + 1]);
  if (value > 0) return value;
  console.error(USAGE);
  process.exit(2);
}

const separator = process.argv.indexOf('--');
const command = separator < 0 ? [] : process.argv.slice(separator + 1);
if (command.length === 0) {
  console.error(USAGE);
  process.exit(2);
}
const options = process.argv.slice(2, separator);
const share = options.includes('--share') ? processorShare(numberOf(options, '--share', 100)) : undefined;
const loops = share ? 0 : numberOf(options, '--loops', 2 * availableParallelism());
const minutes = numberOf(options, '--minutes', 120);

const busy = Array.from({ length: loops }, () =>
  spawn(process.execPath, [BUSY], { stdio: ['pipe', 'ignore', 'inherit'] }),
);
const [program, ...words] = share?.within(command) ?? command;
const child = spawn(program, words, { stdio: 'inherit' });

let isLate = false;
const limit = setTimeout(() => {
  isLate = true;
  console.error(`the command did not end within ${minutes} minutes`);
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), KILL_MS).unref();
}, minutes * 60_000);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
process.once('exit', () => {
  busy.forEach((loop) => loop.kill('SIGKILL'));
  share?.remove();
});

function ended(code) {
  clearTimeout(limit);
  process.exit(isLate ? TIMED_OUT : code);
}
child.once('exit', (code, signal) => ended(code ?? 128 + constants.signals[signal]));
child.once('error', (error) => {
  console.error(error.message);
  ended(127);
});
