import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const READY_MS = 180_000;
const ASKED_MS = 1000;

export interface ProgramResult {
  code: number;
  output: string;
}

const COMPOSERS = [['docker', 'compose'], ['docker-compose'], ['podman', 'compose'], ['podman-compose']];

export function runProgram(
  [program = '', ...words]: readonly string[],
  options: { cwd?: string; shown?: boolean } = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      stdio: ['ignore', 'pipe', options.shown ? 'inherit' : 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (options.shown) process.stdout.write(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

const NO_COMPOSER =
  'neither docker compose, docker-compose, podman compose nor podman-compose 1.3 or later is there: install one of them';
const PODMAN_COMPOSE = /podman-composer? version:? +(\d+)\.(\d+)/;

/** With the engine that it drives. */
export async function findComposer(): Promise<{ composer: string[]; engine: string }> {
  for (const composer of COMPOSERS) {
    const { code, output } = await runProgram([...composer, 'version']);
    if (code === 0 && isUsable(output))
      return { composer, engine: composer[0]!.startsWith('podman') ? 'podman' : 'docker' };
  }
  throw new Error(NO_COMPOSER);
}

/** Before 1.3, podman-compose does not wait for what a service depends on; 1.0.3 also leaves empty settings unreplaced. */
function isUsable(version: string): boolean {
  const [, major, minor] = PODMAN_COMPOSE.exec(version) ?? [];
  return major === undefined || Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 3);
}

export class Composition {
  constructor(
    readonly folder: string,
    private readonly composer: readonly string[],
    private readonly files: readonly string[],
  ) {}

  async run(...words: string[]): Promise<string> {
    const { code, output } = await this.attempt(...words);
    if (code !== 0)
      throw new Error(`${this.composer.join(' ')} ${words.join(' ')} ended with ${code}: ${lastLine(output)}`);
    return output;
  }

  /** A container keeps the files that were mounted when it was made, also after others have taken their places. */
  async replace(...services: string[]): Promise<void> {
    await this.run('up', '-d', '--no-deps', '--force-recreate', ...services);
  }

  /** Until the process of a service serves. */
  async untilReady(service: string): Promise<void> {
    const end = Date.now() + READY_MS;
    for (;;) {
      const { code } = await this.attempt('exec', '-T', service, 'node', 'apps/cli/bin/ready.mjs');
      if (code === 0) return;
      if (Date.now() > end) throw new Error(`${service} is not ready after ${READY_MS / 1000} s`);
      await pause(ASKED_MS);
    }
  }

  private attempt(...words: string[]): Promise<ProgramResult> {
    const files = this.files.flatMap((file) => ['-f', file]);
    return runProgram([...this.composer, ...files, ...words], { cwd: this.folder });
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';
