import { type JailedProgram, spawnJailed } from './jailed-process.js';

const MODE = 'python-snapshot';
/** Loading takes about three seconds on an idle machine. */
const MAKE_MS = 120_000;

export function makePythonSnapshot(options: JailedProgram): Promise<Buffer> {
  const child = spawnJailed(options, MODE);
  const chunks: Buffer[] = [];
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const timer = setTimeout(() => child.kill('SIGKILL'), MAKE_MS);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(chunks));
      else reject(new Error(`Python could not be loaded (${signal ?? code}): ${stderr.slice(-2000)}`));
    });
  });
}
