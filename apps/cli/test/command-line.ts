import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { REPOSITORY } from '../src/launcher/services.js';

export const SIGNALBOX = join(REPOSITORY, 'apps/cli/bin/signalbox.mjs');

/** What a command has written, and its exit code once it has ended. */
export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A command that runs. */
export interface Running {
  child: ChildProcess;
  /** What it has written so far. */
  written: Result;
  ended: Promise<Result>;
}

/** Starts a command in a folder, with a given environment alone; without `stdin` its input stays open. */
export function startCommand(
  words: string[],
  cwd: string,
  env: Record<string, string>,
  stdin: string | null = '',
): Running {
  const child = spawn(process.execPath, [SIGNALBOX, ...words], { cwd, env: { PATH: process.env.PATH ?? '', ...env } });
  if (stdin !== null) child.stdin.end(stdin);
  const written: Result = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (part: Buffer) => void (written.stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => void (written.stderr += part.toString()));
  const ended = new Promise<Result>((resolve) => child.on('close', (code) => resolve({ ...written, code })));
  return { child, written, ended };
}
