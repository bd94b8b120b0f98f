import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const CACHE = join(ROOT, '.cache');

export function say(line) {
  process.stderr.write(`signalbox: ${line}\n`);
}

/** Runs a program to its end; its output is shown only when it fails. Returns its standard output. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    let everything = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      everything += chunk;
    });
    child.stderr.on('data', (chunk) => (everything += chunk));
    child.once('error', (error) => reject(new Error(`${command} could not be run: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(' ')} failed:\n${everything.trim()}`));
    });
  });
}
