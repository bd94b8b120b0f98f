import { spawn } from 'node:child_process';

/** Runs one step to its end; its output is stored for a failure, or printed at once when `live`. */
export function run({ name, command: [file, ...args], env, live }, cwd) {
  const started = performance.now();
  const output = [];
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
  });
  child.stdout?.on('data', (chunk) => output.push(chunk));
  child.stderr?.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    const end = (code) => {
      const seconds = (performance.now() - started) / 1000;
      resolve({ name, code, ok: code === 0, seconds, output: Buffer.concat(output).toString().trimEnd() });
    };
    child.once('error', (error) => {
      output.push(Buffer.from(error.message));
      end(1);
    });
    // A step ended by a signal has no exit code, and did not succeed.
    child.once('close', (code) => end(code ?? 1));
  });
}
